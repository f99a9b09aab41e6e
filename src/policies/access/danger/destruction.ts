/** All dangers of a tool call, strictest first: what it does to files, and for a shell command what would run. */

import { names } from "../../../lib/name-table.ts";
import { absolute, fromHome } from "../../../lib/paths.ts";
import { type Operation, operationOf } from "../../../reading/operation/operation.ts";
import { workOf } from "../../../reading/programs/tool-fields.ts";
import { commandName, type Invocation } from "../../../reading/shell/parse/reading.ts";
import type { Tool } from "../../../reading/tool.ts";
import { agentDanger, agentProgram } from "./agents.ts";
import { type Danger, type DangerContext, forkBomb, type Judge, strictestFirst } from "./danger.ts";
import { dataDanger, sqlDanger } from "./data.ts";
import { fileDanger } from "./files.ts";
import { fleetDanger } from "./fleet.ts";
import { gitDanger } from "./git/git.ts";
import { guardDanger } from "./guards.ts";
import { throughLinks } from "./line-links.ts";
import { lineDanger } from "./lines.ts";
import { literalDangers } from "./literals.ts";
import { machineDanger } from "./machine.ts";
import { programDanger } from "./programs.ts";
import { toolDanger } from "./tools.ts";
import { treeDanger } from "./tree.ts";
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
  const through = effects.some(({ by }) => by === "ln") ? throughLinks(effects) : effects;
  const onFiles = through.flatMap((effect) => fileDanger(effect, ground) ?? []);
  if (!shell) return onFiles.sort(strictestFirst);
  const read = (command: string): Danger[] => commandDanger(command, ground, depth);
  const found = [
    ...(shell.replicates ? [forkBomb] : []),
    ...onFiles,
    ...shell.invocations.flatMap((invocation) => judged(invocation, ground)),
    ...shell.programs.flatMap((program) => programDanger(program, ground, read)),
    ...shell.programs.flatMap((program) => agentProgram(program, ground) ?? []),
    ...literalDangers(shell.invocations, ground, read),
    ...unknownDangers(shell),
  ];
  return found.sort(strictestFirst);
}

/** The dangers of a tool that is not the shell, by the fields that hold commands, statements, programs and paths. */
export function toolDangers(tool: Tool, ground: DangerContext): readonly Danger[] {
  const work = workOf(tool);
  if (!work) return [];
  const read = (command: string): Danger[] => commandDanger(command, ground, 0);
  const sql = work.statements.length > 0 ? sqlDanger(work.statements.join("\n;"), tool.name) : undefined;
  return [
    ...work.commands.flatMap((command) => inField(command, ground)),
    ...(sql ? [sql] : []),
    ...work.programs.flatMap((program) => programDanger({ ...program, literal: true, cwd: ground.cwd }, ground, read)),
    ...work.removed.flatMap((path) => removedBy(tool.name, path, ground)),
  ].sort(strictestFirst);
}

/** A field may hold something else than shell text, so a text that can't be read is no reason to ask. */
function inField(command: string, ground: DangerContext): readonly Danger[] {
  const operation = operationOf({ kind: "bash", name: "Bash", command, background: false }, ground);
  const { shell } = operation;
  return shell ? destructionOf({ ...operation, shell: { ...shell, unknown: [] } }, ground, 1) : [];
}

function removedBy(by: string, spelled: string, ground: DangerContext): readonly Danger[] {
  const path = absolute(fromHome(spelled.replace(/^file:\/\//, ""), ground.home), ground.cwd) ?? spelled;
  const kind = { kind: "delete", literal: true, glob: false, recursive: true, elsewhere: false } as const;
  return [fileDanger({ ...kind, path, spelled, by }, ground)].flatMap((danger) => danger ?? []);
}

function judged(invocation: Invocation, ground: DangerContext): Danger[] {
  const found: Danger[] = [];
  for (const each of withStarted(invocation)) {
    for (const judge of JUDGES) {
      const danger = judge(each, ground);
      if (danger) found.push(danger);
    }
    const onTree = isFed(each) ? treeDanger(each, ground) : undefined;
    if (onTree) found.push(onTree);
  }
  return found;
}

/** What git lists, prints or packs comes to it. */
function isFed({ args, stdin }: Invocation): boolean {
  const from = stdin?.from.some(({ name }) => name === "git") ?? false;
  return from || args.some((word) => word.from?.some(({ name }) => name === "git") ?? false);
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

/** A shell command inside a program inside a shell command, with a depth limit. */
function commandDanger(command: string, ground: DangerContext, depth: number): Danger[] {
  if (depth >= PROGRAM_DEPTH_MAX) return [];
  const operation = operationOf({ kind: "bash", name: "Bash", command, background: false }, ground);
  return destructionOf(operation, ground, depth + 1);
}
