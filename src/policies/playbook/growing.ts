/** What a tool use adds to the change since the person's request, as far as its input shows. */
import type { HookEvent } from "../../kernel/event.ts";
import type { Facts } from "../../kernel/facts.ts";
import type { Known } from "../../kernel/policy.ts";
import { names } from "../../lib/name-table.ts";
import { within } from "../../lib/paths.ts";
import { type ChangedFile, changedLines, newFile } from "../../playbook/diff.ts";
import { weightOf } from "../../playbook/ladder.ts";
import type { Effect } from "../../reading/operation/effects.ts";
import { fileKind } from "../../reading/operation/file-kind.ts";
import { gitVerb } from "../../reading/operation/git-site.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Tool } from "../../reading/tool.ts";
import { growthOf } from "../../state/session/session.ts";
import { touchedFiles } from "../proof/touched-files.ts";

export interface Added {
  /** Files that it would write, by their path below the root; absolute outside it. */
  readonly written: readonly ChangedFile[];
  readonly deleted: readonly string[];
  /** A program or a pattern may change files that nobody can name. */
  readonly isUnread: boolean;
}

type Ground = Pick<Facts, "places" | "targets" | "standing" | "scripts" | "settings">;

export function addedBy(event: HookEvent<"PreToolUse">, operation: Operation, facts: Ground, root: string): Added {
  const scripts = facts.scripts.flatMap(({ operation: one, targets }) =>
    one ? [{ operation: one, targets: targets ?? {} }] : [],
  );
  const files = [{ operation, targets: facts.targets }, ...scripts].flatMap((one) =>
    touchedFiles(event.tool, withoutFolders(one.operation), {
      cwd: event.cwd,
      places: facts.places,
      targets: one.targets,
      standing: facts.standing,
      endings: facts.settings.gates.code_extensions,
    }),
  );
  const below = (path: string): string => (within(path, root) ? path.slice(root.length + 1) : path);
  const counted = files.flatMap(({ path, how, effect }) =>
    how === "path" && path !== root ? [{ path: below(path), effect }] : [],
  );
  const written = new Set(counted.flatMap(({ path, effect }) => (effect === "write" ? [path] : [])));
  return {
    written: [...written].map((path) => writtenBy(event.tool, path)).filter(({ lines }) => lines > 0),
    deleted: counted.flatMap(({ path, effect }) => (effect === "delete" ? [path] : [])),
    isUnread: isUnread(event.tool, operation) || operation.effects.some((effect) => isVague(effect, event.cwd)),
  };
}

function withoutFolders(operation: Operation): Operation {
  return { ...operation, effects: operation.effects.filter(({ by }) => by !== "mkdir") };
}

/** Comments and formatting do not count. A shell command counts as one line. */
function writtenBy(tool: Tool, path: string): ChangedFile {
  const lines =
    tool.kind === "edit"
      ? tool.edits.reduce((sum, one) => sum + changedLines(path, one.old, one.new), 0)
      : tool.kind === "write"
        ? newFile(path, tool.content).lines
        : 1;
  return { path, lines, all: lines };
}

const PLAIN: ReadonlySet<string> = new Set([
  ...["file_read", "file_write", "file_write_src", "docs_write"],
  ...["git_read", "git_local", "git_remote", "test_run", "control"],
]);

/** What leads to a plan, programs that only look, and those whose words say all that they change. */
const OPEN = names(
  "rm rmdir unlink touch mkdir chmod sekisho cd pwd ls cat head tail grep rg find wc sort echo printf true test which type file stat",
);

/** A program ran that may have written files. Tests are measured with the next change that counts. */
export function isUnread({ kind }: Tool, { parts, shell }: Operation): boolean {
  if (kind === "mcp" || kind === "unknown") return true;
  if (!shell) return false;
  const isOpen = shell.invocations.every(({ name }) => name !== undefined && OPEN.has(name));
  return shell.unknown.length > 0 || (!isOpen && parts.some(({ domain }) => !PLAIN.has(domain)));
}

/** Which files it means is known only when it runs. */
function isVague({ kind, path, literal, glob, recursive, elsewhere, by }: Effect, cwd: string): boolean {
  if ((kind !== "write" && kind !== "delete") || elsewhere || by === "mkdir") return false;
  return !literal || glob || recursive || within(cwd, path);
}

const MOVES = names("switch checkout pull merge rebase reset cherry-pick revert stash restore");

/** The files in the work tree become those of other commits, which is not the work of this request. */
export function movesTree({ shell }: Operation): boolean {
  return shell?.invocations.some((one) => MOVES.has(gitVerb(one) ?? "")) === true;
}

/** Whether the files that are known by name may need a plan. Only then anybody looks further. */
function isNear({ event, operation, session, settings }: Known): boolean {
  if (settings.plan.required !== "auto" || !operation) return false;
  const trees = Object.entries(growthOf(session).trees);
  if (trees.some(([, { unreadAt }]) => unreadAt !== undefined)) return true;
  const all = new Set([...trees.flatMap(knownIn), ...namedIn(operation)]);
  return all.size > settings.plan.s_files || [...all].some((path) => weightOf(below(path, event.cwd)) !== undefined);
}

/** Where a plan covered the last change, another one in the same files needs no new count. */
export function isUncounted(known: Known): boolean {
  if (!isNear(known) || !known.operation) return false;
  const trees = Object.entries(growthOf(known.session).trees);
  const files = new Set(trees.flatMap(knownIn));
  const isCovered = trees.every(([, { covered, unreadAt }]) => covered && unreadAt === undefined);
  return !isCovered || namedIn(known.operation).some((path) => !files.has(path));
}

function knownIn([root, { files }]: readonly [string, { readonly files: object }]): readonly string[] {
  return Object.keys(files).map((path) => (path.startsWith("/") ? path : `${root}/${path}`));
}

function namedIn({ effects }: Operation): readonly string[] {
  const changed = effects.filter(({ kind, elsewhere }) => (kind === "write" || kind === "delete") && !elsewhere);
  return changed.flatMap(({ path }) => (path.startsWith("/") && fileKind(path) !== "document" ? [path] : []));
}

function below(path: string, directory: string): string {
  return within(path, directory) ? path.slice(directory.length + 1) : path;
}
