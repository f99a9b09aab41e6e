/**
 * The shape of a command, used to recognize similar ones: its words, with `<path>` for the project files it changes.
 */

import { within } from "../lib/paths.ts";
import { maskText } from "../lib/secrets.ts";
import type { Effect } from "../reading/operation/effects.ts";
import type { Operation } from "../reading/operation/operation.ts";
import type { Invocation } from "../reading/shell/parse/reading.ts";
import type { HookEvent } from "./event.ts";

const CHARS_MAX = 160;

/** Resolves links. */
export type LeadsTo = (path: string) => string;

/** Undefined if no other command counts as similar: the line is not plain, or it is too long or contains a secret. */
export function shapeOf(event: HookEvent, operation: Operation | undefined, leadsTo: LeadsTo): string | undefined {
  const shell = operation?.shell;
  const isBash = "tool" in event && event.tool.kind === "bash";
  if (!shell || !isBash || shell.unknown.length > 0 || shell.programs.length > 0) return undefined;
  if (shell.invocations.length === 0 || !shell.invocations.every(isPlain)) return undefined;
  const [only] = shell.invocations;
  const { command } = event.tool;
  // Operators decide which commands run: `a && b` differs from `a || b`, so a joined line matches only itself.
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

/** Dot directories hold tool configuration and git's own files, so paths there are not generalized. */
function isBelow(path: string, cwd: string): boolean {
  return path !== cwd && within(path, cwd) && !/\/\.[^/]/.test(path.slice(cwd.length));
}

/** Quotes a word so that it cannot look like two words or like a placeholder. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
