/** A danger of a command: what would be destroyed, in both languages, and what to do instead. */

import type { Discarded } from "../../../kernel/facts.ts";
import type { HostTraits } from "../../../kernel/host-traits.ts";
import { inline, type Text, text } from "../../../lib/text.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";

export interface Danger {
  /** Deny if it cannot be undone, ask if a person may well want it. */
  readonly decision: "deny" | "ask";
  readonly what: Text;
  readonly fix: Text;
  /** The machine, a disk or a home would be lost: no grant can allow it. */
  readonly floor?: true;
  /** The family that a person can accept as a whole. */
  readonly family?: string;
  /** What a yes covers until the session ends. */
  readonly agreement?: readonly string[];
  /** A question that is also asked about a script which touches nothing outside the project. */
  readonly inScripts?: true;
}

/** The context of the command. */
export interface DangerContext {
  readonly cwd: string;
  readonly home: string;
  readonly project: string;
  readonly host?: HostTraits;
  /** The settings files that register our hooks. */
  readonly hooked?: readonly string[];
  /** The link targets of paths on the line, as far as they were looked up. */
  readonly reached?: Readonly<Record<string, string>>;
  /** What git commands on the line would throw away now, as far as git could tell. */
  readonly discarded?: Readonly<Record<string, Discarded>>;
  /** The command comes from a file, where program text is expected. */
  readonly inFile?: true;
}

/** `config`: settings from `-c` for this command. */
export type GitRule = (args: readonly Word[], config: readonly Word[]) => Danger | undefined;

export type Judge = (invocation: Invocation, ground: DangerContext) => Danger | undefined;

export function forbid(what: Text, fix: Text): Danger {
  return { decision: "deny", what, fix };
}

export function never(what: Text, fix: Text): Danger {
  return { decision: "deny", what, fix, floor: true };
}

export function question(what: Text, fix: Text): Danger {
  return { decision: "ask", what, fix };
}

/** Among equal decisions the floor comes first. */
export function strictestFirst(a: Danger, b: Danger): number {
  return weight(b) - weight(a);
}

function weight({ decision, floor }: Danger): number {
  return (decision === "deny" ? 2 : 0) + (floor ? 1 : 0);
}

/** The command as shown in a message. */
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
