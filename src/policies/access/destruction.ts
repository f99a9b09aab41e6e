/** Everything a shell command would destroy, strictest first. */

import { type Operation, operationOf } from "../../kernel/operation.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";
import { text } from "../../kernel/text.ts";
import { type Danger, type Ground, type Judge, never, strictestFirst } from "./danger.ts";
import { cloudDanger } from "./danger-cloud.ts";
import { dataDanger } from "./danger-data.ts";
import { fileDanger } from "./danger-files.ts";
import { gitDanger } from "./danger-git.ts";
import { machineDanger } from "./danger-machine.ts";
import { programDanger, quoted } from "./danger-programs.ts";
import { unknownDangers, unreadDanger } from "./danger-unread.ts";

const JUDGES: readonly Judge[] = [gitDanger, machineDanger, dataDanger, cloudDanger, unreadDanger];
const PROGRAM_DEPTH_MAX = 3;

export function destructionOf(operation: Operation, ground: Ground, depth = 0): Danger[] {
  const { shell, effects } = operation;
  if (!shell) return [];
  const found = [
    ...(shell.replicates ? [forkBomb] : []),
    ...effects.flatMap((effect) => fileDanger(effect, ground) ?? []),
    ...shell.invocations.flatMap((invocation) => JUDGES.flatMap((judge) => judge(invocation, ground) ?? [])),
    ...shell.programs.flatMap((program) =>
      programDanger(program, ground, (command) => commandDanger(command, ground, depth)),
    ),
    ...shell.invocations.flatMap((invocation) =>
      handedOn(invocation, (command) => commandDanger(command, ground, depth)),
    ),
    ...unknownDangers(shell),
  ];
  return found.sort(strictestFirst);
}

/** A tool we do not know may be a wrapper: whole words that would be denied on their own are worth a question. */
function handedOn(invocation: Invocation, judge: (command: string) => Danger[]): Danger[] {
  const { name = "", args } = invocation;
  const at = args.findIndex(({ text: word, literal }) => literal && COMMANDS.test(word));
  if (at < 0 || KNOWN.test(name) || args[at]?.text === args.at(-1)?.text) return [];
  const command = args.slice(at, at + HANDED_MAX).map(({ text: word }) => quoted(word));
  const [worst] = judge(command.join(" "));
  return worst?.decision === "deny" ? [{ ...worst, decision: "ask" }] : [];
}

const HANDED_MAX = 12;
const COMMANDS = /^(?:\/(?:usr\/)?bin\/)?(?:rm|dd|shred|mkfs(?:\.\w+)?|git|chmod|chown)$/;
/** Commands whose operands are known to be names, patterns or text. */
const KNOWN =
  /^(?:echo|printf|git|gh|glab|e?grep|fgrep|rg|ag|ack|man|tldr|info|help|which|whereis|type|hash|command|alias|apt(?:-get)?|brew|yum|dnf|apk|pacman|npm|pnpm|yarn|pip\d?|cargo|docker|podman|kubectl|find|ls|cat|cp|mv|ln|tar|rm|sed|awk|test|\[|set|export|declare|local|read|history|trap|eval|source|sekisho)$/;

/** A shell command inside a program inside a shell command: bounded like everything else. */
function commandDanger(command: string, ground: Ground, depth: number): Danger[] {
  if (depth >= PROGRAM_DEPTH_MAX) return [];
  const operation = operationOf({ kind: "bash", name: "Bash", command, background: false }, ground);
  return destructionOf(operation, ground, depth + 1);
}

const forkBomb = never(
  text(
    "This function starts itself again and again until the machine stops.",
    "この関数は自分自身を起動し続け、マシンを停止させます。",
  ),
  text(
    "Use a loop with an end: `for i in 1 2 3; do …; done`.",
    "終わりのある繰り返しを使ってください: `for i in 1 2 3; do …; done`。",
  ),
);
