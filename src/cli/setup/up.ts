import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { programFiles } from "../../app/project.ts";
import { probeGatehouse } from "../../daemon/probe.ts";
import { reviveGatehouse, stopGatehouse } from "../../daemon/start.ts";
import { ensureDoor } from "../../store/door.ts";
import { stateRoot } from "../../world/machine/places.ts";
import { defineCommand } from "../command.ts";
import { CommandError, paint, say } from "../print.ts";

declare const require: NodeJS.Require;

export const up = defineCommand({
  name: "up",
  summary: "Starts the gatehouse, which answers the hooks of the fast lane. Nothing happens if it is up.",
  options: {},
  door: () => ({ verb: "up", need: "presence" }),
  async run() {
    requireGatehouseFile();
    const { port } = ensureDoor(stateRoot(process.env));
    const started = await reviveGatehouse(process.env, programFiles());
    if (!started.ok) throw new CommandError(`The gatehouse is not up: ${started.reason}.\nSee \`sekisho doctor\`.`);
    say(`${paint.green("✔")} the gatehouse is up on 127.0.0.1:${port}`);
    return 0;
  },
});

export const down = defineCommand({
  name: "down",
  summary: "Stops the gatehouse. Until it is up again, sessions on the fast lane can read but not change anything.",
  options: {},
  door: () => ({ verb: "down", need: "authority" }),
  async run() {
    await stopGatehouse(process.env);
    const { state, detail } = await probeGatehouse(process.env);
    if (state === "up" || state === "other-version") throw new CommandError("The gatehouse did not stop.");
    say(state === "stranger" ? `${paint.yellow("!")} ${detail}` : `${paint.green("✔")} the gatehouse is down`);
    return 0;
  },
});

export const serve = defineCommand({
  name: "serve",
  summary: "Runs the gatehouse in the foreground; `sekisho up` runs it in the background.",
  options: {},
  async run() {
    requireGatehouseFile();
    // Not restricted to people, because session events start the daemon too. It only obeys the files it protects.
    ensureDoor(stateRoot(process.env));
    await require("./gatehouse.cjs").serve(programFiles().bundle);
    // Runs until a signal ends it.
    return new Promise<number>(() => undefined);
  },
});

function requireGatehouseFile(): void {
  if (existsSync(join(dirname(programFiles().bundle), "gatehouse.cjs"))) return;
  throw new CommandError(
    "This copy of Sekisho is the plugin's and has no gatehouse: the plugin uses the plain lane.\n" +
      "For the fast lane install the package as the README says, then `sekisho init`.",
  );
}
