/** All dangers of a tool call, strictest first: what it does to files, and for a shell command what would run. */

import { names } from "../../../lib/name-table.ts";
import { type Operation, operationOf } from "../../../reading/operation/operation.ts";
import { interpreterOf, isShell } from "../../../reading/shell/commands/interpreters.ts";
import { commandName, type Invocation } from "../../../reading/shell/parse/reading.ts";
import { agentDanger, agentProgram } from "./agents.ts";
import { type Danger, type DangerContext, forkBomb, type Judge, strictestFirst } from "./danger.ts";
import { dataDanger } from "./data.ts";
import { fileDanger } from "./files.ts";
import { fleetDanger } from "./fleet.ts";
import { gitDanger } from "./git/git.ts";
import { guardDanger } from "./guards.ts";
import { lineDanger } from "./lines.ts";
import { machineDanger } from "./machine.ts";
import { programDanger, quoted } from "./programs.ts";
import { isKnown, toolDanger } from "./tools.ts";
import { unknownDangers, unreadDanger } from "./unread.ts";

const JUDGES: readonly Judge[] = [
  gitDanger,
  machineDanger,
  dataDanger,
  toolDanger,
  unreadDanger,
  lineDanger,
  guardDanger,
  agentDanger,
  fleetDanger,
];
const PROGRAM_DEPTH_MAX = 3;

export function destructionOf(operation: Operation, ground: DangerContext, depth = 0): Danger[] {
  const { shell, effects } = operation;
  const onFiles = effects.flatMap((effect) => fileDanger(effect, ground) ?? []);
  if (!shell) return onFiles.sort(strictestFirst);
  const read = (command: string): Danger[] => commandDanger(command, ground, depth);
  const found = [
    ...(shell.replicates ? [forkBomb] : []),
    ...onFiles,
    ...shell.invocations.flatMap((invocation) => judged(invocation, ground)),
    ...shell.programs.flatMap((program) => programDanger(program, ground, read)),
    ...shell.programs.flatMap((program) => agentProgram(program, ground) ?? []),
    ...shell.invocations.flatMap((invocation) => handedOn(invocation, read)),
    ...unknownDangers(shell),
  ];
  return found.sort(strictestFirst);
}

function judged(invocation: Invocation, ground: DangerContext): Danger[] {
  const found: Danger[] = [];
  for (const each of withStarted(invocation)) {
    for (const judge of JUDGES) {
      const danger = judge(each, ground);
      if (danger) found.push(danger);
    }
  }
  return found;
}

/** `yarn prisma migrate reset`: these commands start tools installed in the project. */
function withStarted(invocation: Invocation): Invocation[] {
  const { name = "", via } = invocation;
  if (!STARTERS.has(name)) return [invocation];
  const [word, ...args] = invocation.args;
  if (!word?.literal) return [invocation];
  return [invocation, { ...invocation, name: commandName(word), word, args, via: [...via, name] }];
}

const STARTERS = names("yarn pnpm bun atmos rtx mise");

/** An unknown tool may be a wrapper, so arguments that would be denied as a command lead to a question. */
function handedOn(invocation: Invocation, judge: (command: string) => Danger[]): Danger[] {
  const { name = "", args } = invocation;
  if (isKnown(name) && name !== "command") return [];
  const at = args.findIndex(({ text: word, literal }) => literal && isCommand(word));
  if (at < 0 || args[at]?.text === args.at(-1)?.text) return asText(invocation).flatMap(judge).flatMap(softened);
  const command = args.slice(at, at + HANDED_MAX).map(({ text: word }) => quoted(word));
  return softened(judge(command.join(" "))[0]);
}

/** The input lines of an unknown tool without arguments, which may be a shell. */
function asText({ name = "", args, stdin }: Invocation): string[] {
  if (args.length > 0 || stdin?.text === undefined || stdin.from.length > 0) return [];
  if (isShell(name) || interpreterOf(name)) return [];
  return stdin.text
    .split("\n")
    .slice(0, LINES_MAX)
    .filter((line) => isCommand(line.trim().split(/\s/)[0] ?? ""));
}

const LINES_MAX = 12;

function softened(worst: Danger | undefined): Danger[] {
  return worst?.decision === "deny" ? [{ ...worst, decision: "ask" }] : [];
}

const HANDED_MAX = 12;
const COMMANDS = names("rm dd shred mkfs git chmod chown");

function isCommand(word: string): boolean {
  const name = word.startsWith("/") ? word.replace(/^\/(?:usr\/)?bin\//, "") : word;
  return COMMANDS.has(name) || (name.startsWith("mkfs.") && /^mkfs\.\w+$/.test(name));
}
/** A shell command inside a program inside a shell command, with a depth limit. */
function commandDanger(command: string, ground: DangerContext, depth: number): Danger[] {
  if (depth >= PROGRAM_DEPTH_MAX) return [];
  const operation = operationOf({ kind: "bash", name: "Bash", command, background: false }, ground);
  return destructionOf(operation, ground, depth + 1);
}
