import { serveDaemon, startDaemon, stopDaemon } from "../../app/setup/daemon.ts";
import { defineCommand } from "../command.ts";
import { sayCaution, sayDone } from "../print.ts";

export const up = defineCommand({
  name: "up",
  summary: "Starts the gatehouse, which answers the hooks of the fast lane. Nothing happens if it is up.",
  options: {},
  door: () => ({ verb: "up", need: "presence" }),
  async run() {
    const port = await startDaemon();
    sayDone(`the gatehouse is up on 127.0.0.1:${port}`);
    return 0;
  },
});

export const down = defineCommand({
  name: "down",
  summary: "Stops the gatehouse. Until it is up again, sessions on the fast lane can read but not change anything.",
  options: {},
  door: () => ({ verb: "down", need: "authority" }),
  async run() {
    const stranger = await stopDaemon();
    if (stranger === undefined) sayDone("the gatehouse is down");
    else sayCaution(stranger);
    return 0;
  },
});

export const serve = defineCommand({
  name: "serve",
  summary: "Runs the gatehouse in the foreground; `sekisho up` runs it in the background.",
  options: {},
  async run() {
    await serveDaemon();
    // Runs until a signal ends it.
    return new Promise<number>(() => undefined);
  },
});
