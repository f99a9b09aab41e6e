/** Starts and stops the daemon for a person, or runs it in this process. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { probeGatehouse } from "../../daemon/probe.ts";
import { reviveGatehouse, stopGatehouse } from "../../daemon/start.ts";
import { ensureDoor } from "../../store/door.ts";
import { stateRoot } from "../../world/machine/places.ts";
import { Problem } from "../problem.ts";
import { programFiles } from "../project.ts";

declare const require: NodeJS.Require;

/** Returns the port. Nothing happens if it is up. */
export async function startDaemon(): Promise<number> {
  requireGatehouseFile();
  const { port } = ensureDoor(stateRoot(process.env));
  const started = await reviveGatehouse(process.env, programFiles());
  if (!started.ok) throw new Problem(`The gatehouse is not up: ${started.reason}.\nSee \`sekisho doctor\`.`);
  return port;
}

/** Returns a caution when something else answers on its port. */
export async function stopDaemon(): Promise<string | undefined> {
  await stopGatehouse(process.env);
  const { state, detail } = await probeGatehouse(process.env);
  if (state === "up" || state === "other-version") throw new Problem("The gatehouse did not stop.");
  return state === "stranger" ? detail : undefined;
}

/** Not restricted to people, because session events start the daemon too. It only obeys the files it protects. */
export async function serveDaemon(): Promise<void> {
  requireGatehouseFile();
  ensureDoor(stateRoot(process.env));
  await require("./gatehouse.cjs").serve(programFiles().bundle);
}

function requireGatehouseFile(): void {
  if (existsSync(join(dirname(programFiles().bundle), "gatehouse.cjs"))) return;
  throw new Problem(
    "This copy of Sekisho is the plugin's and has no gatehouse: the plugin uses the plain lane.\n" +
      "For the fast lane install the package as docs/getting-started.md says, then `sekisho init`.",
  );
}
