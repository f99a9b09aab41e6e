/** What a command would destroy, in words for both readers, and what to do instead. */

import type { Invocation } from "../../kernel/shell-reading.ts";
import { inline, type Text, text } from "../../kernel/text.ts";

export interface Danger {
  /** Deny where nothing brings it back, ask where a person may well want it. */
  readonly decision: "deny" | "ask";
  readonly what: Text;
  readonly fix: Text;
  /** It would take the machine, a disk or a home with it: no person's leave opens it. */
  readonly floor?: true;
}

/** Where the command stands. */
export interface Ground {
  readonly cwd: string;
  readonly home: string;
  readonly project: string;
  /** Where names of the line really lead, as far as that was looked up. */
  readonly reached?: Readonly<Record<string, string>>;
  /** The words are those of a file, where a program is what one expects. */
  readonly inFile?: true;
}

export type Judge = (invocation: Invocation, ground: Ground) => Danger | undefined;

export function forbid(what: Text, fix: Text): Danger {
  return { decision: "deny", what, fix };
}

export function never(what: Text, fix: Text): Danger {
  return { decision: "deny", what, fix, floor: true };
}

export function question(what: Text, fix: Text): Danger {
  return { decision: "ask", what, fix };
}

/** Among equals the floor leads. */
export function strictestFirst(a: Danger, b: Danger): number {
  return weight(b) - weight(a);
}

function weight({ decision, floor }: Danger): number {
  return (decision === "deny" ? 2 : 0) + (floor ? 1 : 0);
}

/** The command as it would be read, for a message. */
export function shown({ word, args }: Invocation): string {
  return inline([word, ...args].map((each) => each.text).join(" "), 80);
}

export const SHOW_A_PERSON = text(
  "Show the person the exact command and what it would remove, and let them run it.",
  "実行するコマンドと失われるものを利用者に示し、利用者自身に実行してもらってください。",
);

export const forkBomb = never(
  text("This starts itself again and again until the machine stops.", "自分自身を起動し続け、マシンを停止させます。"),
  text(
    "Use a loop with an end: `for i in 1 2 3; do …; done`.",
    "終わりのある繰り返しを使ってください: `for i in 1 2 3; do …; done`。",
  ),
);

export const fromNetwork = forbid(
  text("This runs whatever the network answers, unread.", "ネットワークから届いた内容を確認せずに実行します。"),
  text(
    "Download it to a file (`curl -fsSLo install.sh <url>`), read it, and let the person run it.",
    "ファイルに保存（`curl -fsSLo install.sh <url>`）して内容を確認し、利用者に実行してもらってください。",
  ),
);
