/** Types the text that wakes an agent into its pane, if nobody else uses the pane. A person's half-typed line is put aside first. */
import type { HostWaking } from "../../hosts/setup.ts";
import type { HostProcess } from "../../state/session/session.ts";
import { nameOf } from "../../world/machine/agent-above.ts";
import { host } from "../host.ts";
import { type Pane, paneOf, pressIn, screenOf, typeInto } from "./pane.ts";

/** Waits a moment for the screen. */
export type Pause = (ms: number) => Promise<void>;

export interface Typist {
  readonly client: HostProcess;
  readonly waking: Pick<HostWaking, "inputIn" | "asideKey">;
  readonly pause: Pause;
}

const SCREEN_MS = 2000;
const LOOK_MS = 50;

/** The pane with an input line in which the text can be typed, or why there is none now. */
export async function typingPane(typist: Typist): Promise<Pane | string> {
  const pane = usable(typist);
  if (typeof pane === "string") return pane;
  const input = typist.waking.inputIn(screenOf(pane));
  if (!input) return "its pane shows no input line";
  if (input.text === "") return pane;
  if (input.hasAside) return "a person has typed something into its pane";
  pressIn(pane, typist.waking.asideKey);
  const isAside = await shows(pane, typist, (text) => text === "");
  return isAside ? pane : "a person has typed something into its pane";
}

function usable({ client }: Typist): Pane | string {
  const pane = paneOf(client);
  if (typeof pane === "string") return pane;
  // A process that a forged record names, such as a person's shell, is none of the host's.
  if (!host.marks.processName.test(nameOf(client.pid))) return "its process is no client";
  return pane.isHeld ? "a person reads back in its pane" : pane;
}

/** Types the text and, as a call of its own, the return key. Returns why it was not sent. */
export async function typeWake(pane: Pane, text: string, typist: Typist): Promise<string | undefined> {
  const now = usable(typist);
  if (typeof now === "string" || now.id !== pane.id) return typeof now === "string" ? now : "it is in another pane now";
  const ours = text.replace(/\s+/g, "");
  typeInto(pane, text);
  if (await shows(pane, typist, (shown) => shown === ours)) {
    pressIn(pane, "-l", "\r");
    return undefined;
  }
  // Somebody typed at the same moment: their words stay, and ours are taken away if they stand at the end.
  const shown = typist.waking.inputIn(screenOf(pane))?.text ?? "";
  if (shown.endsWith(ours)) pressIn(pane, ...Array.from(text, () => "BSpace"));
  return "a person was typing into its pane";
}

async function shows(pane: Pane, { waking, pause }: Typist, is: (text: string) => boolean): Promise<boolean> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const input = waking.inputIn(screenOf(pane));
    if (input && is(input.text)) return true;
    if (waited >= SCREEN_MS) return false;
    await pause(LOOK_MS);
  }
}
