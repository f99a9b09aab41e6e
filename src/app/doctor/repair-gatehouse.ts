/** The daemon repairs of `--fix`. Each returns only once the daemon answers. */

import type { Door } from "../../hosts/registration.ts";
import { rewritableText } from "../../world/machine/host-file-writing.ts";
import { registration } from "../host.ts";
import { Problem } from "../problem.ts";
import { type Premises, registered } from "./check.ts";
import { rewriteFile } from "./rewrite.ts";

export async function start({ gatehouse }: Premises): Promise<string> {
  const started = await gatehouse.start();
  if (!started.ok) {
    throw new Problem(
      `The gatehouse does not start: ${started.reason}. Its own words are in ${gatehouse.log}. ` +
        "`sekisho init --lane plain` does without it",
    );
  }
  return "the gatehouse was started";
}

export async function restart(premises: Premises): Promise<string> {
  const { gatehouse } = premises;
  await gatehouse.stop();
  const { state, isVacant } = await gatehouse.probe();
  // Our daemon is stopped, so another program holds the port, possibly for long.
  if (state === "stranger" || (state === "down" && !isVacant)) return moveAway(premises);
  await start(premises);
  return "the gatehouse was started anew";
}

/** Rewrites the hooks before the daemon starts on the new port. Hooks that get no answer meanwhile fail closed. */
export async function moveAway(premises: Premises): Promise<string> {
  // The stranger may be our own daemon with an older key; stop it, because it could not be found later.
  await premises.gatehouse.stop();
  const door = await premises.gatehouse.move();
  const paths = rewriteHooks(premises, door);
  await start(premises);
  return `the gatehouse moved to port ${door.port}, and the hooks in ${paths} with it`;
}

/** Stops a daemon that still runs with a key that is no longer stored. */
export async function restore(premises: Premises): Promise<string> {
  const { gatehouse } = premises;
  await gatehouse.stop();
  // Reuses the port and token from the hooks, so that hooks of other projects work again too.
  const door = await gatehouse.move(registered(premises).find(({ ours }) => ours.door)?.ours.door);
  rewriteHooks(premises, door);
  return `${await restart(premises)}, with a new key`;
}

export async function leadTo(door: Door, premises: Premises): Promise<string> {
  const paths = rewriteHooks(premises, door);
  // The daemon may have started before its port or token changed.
  await restart(premises);
  return `the hooks in ${paths} call at the gatehouse again, on port ${door.port}`;
}

function rewriteHooks(premises: Premises, door: Door): string {
  const paths = registered(premises).flatMap(({ path, ours }) => (ours.door ? [path] : []));
  for (const path of paths) {
    // Read again, because one repair may rewrite the file twice.
    const text = rewritableText(path) ?? "";
    rewriteFile(path, text, registration.movedTo(text, door));
  }
  return paths.join(", ");
}
