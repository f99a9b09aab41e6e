/** What `--fix` does about the gatehouse. It comes back only when the gatehouse answers. */
import type { Door } from "../../hosts/claude-code/hooks.ts";
import { movedTo } from "../../hosts/claude-code/registered.ts";
import { rewritableText } from "../../world/host-file-writing.ts";
import { CommandError } from "../print.ts";
import { type Premises, registered } from "./check.ts";
import { rewriteFile } from "./rewrite.ts";

export async function start({ gatehouse }: Premises): Promise<string> {
  const started = await gatehouse.start();
  if (!started.ok) {
    throw new CommandError(
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
  // Ours is ended: whoever still holds the port is somebody else, and may hold it for ever.
  if (state === "stranger" || (state === "down" && !isVacant)) return moveAway(premises);
  await start(premises);
  return "the gatehouse was started anew";
}

/** The hooks are rewritten before the gatehouse moves in: a question that nobody hears is held back, never let by. */
export async function moveAway(premises: Premises): Promise<string> {
  // The stranger may be our own, which began with another key: nobody would find it again.
  await premises.gatehouse.stop();
  const door = await premises.gatehouse.move();
  const paths = rewriteHooks(premises, door);
  await start(premises);
  return `the gatehouse moved to port ${door.port}, and the hooks in ${paths} with it`;
}

/** One that still runs behind a door that is gone knows a key that nobody else knows any more. */
export async function restore(premises: Premises): Promise<string> {
  const { gatehouse } = premises;
  await gatehouse.stop();
  // The port and token that the hooks know: those of other projects, which are not looked at here, then work as well.
  const door = await gatehouse.move(registered(premises).find(({ ours }) => ours.door)?.ours.door);
  rewriteHooks(premises, door);
  return `${await restart(premises)}, with a new key`;
}

export async function leadTo(door: Door, premises: Premises): Promise<string> {
  const paths = rewriteHooks(premises, door);
  // It may have begun before its door became what it is now.
  await restart(premises);
  return `the hooks in ${paths} call at the gatehouse again, on port ${door.port}`;
}

function rewriteHooks(premises: Premises, door: Door): string {
  const paths = registered(premises).flatMap(({ path, ours }) => (ours.door ? [path] : []));
  for (const path of paths) {
    // As it is now: one repair may have to go two steps.
    const text = rewritableText(path) ?? "";
    rewriteFile(path, text, movedTo(text, door));
  }
  return paths.join(", ");
}
