/** What a command has in common with others like it: its words, with the files left open that it only changes. */
import type { HookEvent } from "./event.ts";
import type { Operation } from "./operation.ts";
import type { Effect } from "./operation-effects.ts";
import { within } from "./paths.ts";
import { maskText } from "./secrets.ts";
import type { Invocation } from "./shell-reading.ts";

const CHARS_MAX = 160;

/** Undefined where nothing could be said to be like it: a line that is not plain, or that carries more than words. */
export function shapeOf(event: HookEvent, operation: Operation | undefined): string | undefined {
  const shell = operation?.shell;
  if (!shell || shell.unknown.length > 0 || shell.programs.length > 0 || shell.invocations.length === 0)
    return undefined;
  const parts = shell.invocations.map((one) => invocationShape(one, operation.effects, event.cwd));
  if (parts.some((part) => part === undefined)) return undefined;
  const shape = parts.join(" ; ");
  return shape.length > CHARS_MAX || maskText(shape) !== shape ? undefined : shape;
}

function invocationShape(invocation: Invocation, effects: readonly Effect[], cwd: string): string | undefined {
  const { name, args, via, remote, contained, redirects, assignments, runsUnread, stdin } = invocation;
  const isPlain = !remote && !contained && redirects.length === 0 && assignments.length === 0 && !runsUnread && !stdin;
  if (name === undefined || !isPlain || args.some(({ literal, glob }) => !literal || glob)) return undefined;
  const changed = effects.filter((effect) => effect.invocation === invocation && effect.kind !== "read");
  const isOpen = (word: string): boolean =>
    changed.some(({ spelled, path }) => spelled === word && path !== cwd && within(path, cwd) && !HIDDEN.test(path));
  return [...via, name, ...args.map(({ text }) => (isOpen(text) ? "<path>" : quoted(text)))].join(" ");
}

/** Below a name with a dot lies what steers tools, and git's own: such a path is meant as it is spelled. */
const HIDDEN = /\/\.[^/]/;

/** So that no word looks like two, or like a place that was left open. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
