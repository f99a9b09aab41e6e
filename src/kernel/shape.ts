/** What a command has in common with others like it: its words, with the files left open that it only changes. */
import type { HookEvent } from "./event.ts";
import type { Operation } from "./operation.ts";
import type { Effect } from "./operation-effects.ts";
import { within } from "./paths.ts";
import { maskText } from "./secrets.ts";
import type { Invocation } from "./shell-reading.ts";

const CHARS_MAX = 160;

/** Where a path really leads. */
export type LeadsTo = (path: string) => string;

/** Undefined where nothing could be said to be like it: a line that is not plain, or that carries more than words. */
export function shapeOf(event: HookEvent, operation: Operation | undefined, leadsTo: LeadsTo): string | undefined {
  const shell = operation?.shell;
  const isBash = "tool" in event && event.tool.kind === "bash";
  if (!shell || !isBash || shell.unknown.length > 0 || shell.programs.length > 0) return undefined;
  if (shell.invocations.length === 0 || !shell.invocations.every(isPlain)) return undefined;
  const [only] = shell.invocations;
  const { command } = event.tool;
  // How commands are joined decides which of them run: `a && b` is not like `a || b`, and only like itself.
  const isJoined = shell.invocations.length > 1 || JOINT.test(command);
  const shape = isJoined || !only ? command.trim() : oneShape(only, operation.effects, event.cwd, leadsTo);
  return shape.length > CHARS_MAX || maskText(shape) !== shape ? undefined : shape;
}

const JOINT = /[;&|(){}<>$`!\n]/;

function isPlain({ name, args, remote, contained, redirects, assignments, runsUnread, stdin }: Invocation): boolean {
  const isBare = !remote && !contained && redirects.length === 0 && assignments.length === 0 && !runsUnread && !stdin;
  return name !== undefined && isBare && args.every(({ literal, glob }) => literal && !glob);
}

function oneShape(invocation: Invocation, effects: readonly Effect[], cwd: string, leadsTo: LeadsTo): string {
  const { name, args, via } = invocation;
  const changed = effects.filter((effect) => effect.invocation === invocation && effect.kind !== "read");
  const isOpen = (word: string): boolean =>
    changed.some(({ spelled, path }) => spelled === word && isBelow(path, cwd) && isBelow(leadsTo(path), leadsTo(cwd)));
  return [...via, name, ...args.map(({ text }) => (isOpen(text) ? "<path>" : quoted(text)))].join(" ");
}

/** Below a name with a dot lies what steers tools, and git's own: such a path is meant as it is spelled. */
function isBelow(path: string, cwd: string): boolean {
  return path !== cwd && within(path, cwd) && !/\/\.[^/]/.test(path.slice(cwd.length));
}

/** So that no word looks like two, or like a place that was left open. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
