/** The passphrase that `init` sets: asked for twice, or taken from standard input. */

import type { KeyHere } from "../../app/person.ts";
import { maySetPassphrase, type Protection, refuseWeak, weakness } from "../../app/setup/key.ts";
import { firstLineOfInput } from "../tty.ts";

/** From the options alone, for `--yes`. */
export function protectionGiven(no: boolean, fromInput: boolean, { state }: KeyHere): Protection {
  if (no) return { isOff: true };
  if (!fromInput || !maySetPassphrase(state)) return { isOff: false };
  const protection = { passphrase: firstLineOfInput(), isOff: false };
  refuseWeak(protection);
  return protection;
}

/** Undefined when the person gave up. */
export async function askProtection(): Promise<Protection | undefined> {
  const { isCancel, note, password } = await import("@clack/prompts");
  note(ABOUT, "A passphrase for your own commands");
  for (;;) {
    const first = await password({ message: "Passphrase (leave it empty for none)", validate: problemIn });
    if (isCancel(first)) return undefined;
    if (first === undefined || first === "") return { isOff: true };
    const again = await password({ message: "The same once more" });
    if (isCancel(again)) return undefined;
    if (again === first) return { passphrase: first, isOff: false };
    note("The two are not the same. Try again.");
  }
}

function problemIn(given: string | undefined): string | undefined {
  return given === undefined || given === "" ? undefined : weakness(given);
}

const ABOUT = [
  "`sekisho allow`, `pause`, `uninstall` and other commands that grant something",
  "will ask for it. An agent that can run programs as you does not know it.",
  "It cannot be recovered; docs/uninstall-by-hand.md says how to start over.",
].join("\n");
