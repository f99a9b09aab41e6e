/** Facts for the evidence of checks: the work tree of a tool use, and the state of the tree. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { lookedAt } from "../../evidence/checks/looks-at.ts";
import type { CheckedTree, Workplace } from "../../evidence/tree.ts";
import type { Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { isUnknown, type Unknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { within } from "../../lib/paths.ts";
import { changes } from "../../reading/operation/operation.ts";
import type { NamedChecks } from "../../state/session/checks.ts";
import type { Session } from "../../state/session/session.ts";
import type { Since } from "../machine/code-lists.ts";
import { treeDigest } from "../machine/tree-digest.ts";
import { real, rootOf, workTreeOf } from "../machine/work-tree.ts";
import { definitionsOf } from "./check-definitions.ts";
import { ranIn } from "./check-runs.ts";
import { checksOf } from "./checks.ts";
import { type Looking, sessionOf } from "./looking.ts";

/** Git runs only when its answer will be recorded, so not for an event that does not count for a session. */
export function* workplace(from: Looking, counts: () => boolean): Steps<Workplace | Unknown> {
  const session = sessionOf(from);
  if (session && isUnknown(session)) return session;
  const open = openCheck(from.event, session);
  if (open) return { root: open.root, ...(counts() && { digest: yield* digestOf(open.root, from) }) };
  const { root, runs } = ranIn(from);
  const isKept = runs.length > 0 || mayChange(from);
  if (from.event.name !== "PreToolUse" || !isKept || !counts()) return { root };
  const beside: Workplace[] = [];
  for (const one of mayChange(from) ? besides(root, from, session) : [])
    beside.push(yield* placeAt(one, false, from, session));
  return { ...(yield* placeAt(root, runs.length > 0, from, session)), ...(beside.length > 0 && { beside }) };
}

/** Read-only tool uses are not recorded, so each of them would count as the first again. */
function mayChange({ event, operation }: Looking): boolean {
  return event.name === "PreToolUse" && event.call !== "" && operation !== undefined && changes(operation);
}

function* placeAt(root: string, runsCheck: boolean, from: Looking, session: Session | undefined): Steps<Workplace> {
  const isFirst = own(session?.work ?? {}, root) === undefined;
  const isMet = own(session?.defined ?? {}, root) !== undefined;
  return {
    root,
    ...((isFirst || runsCheck) && { digest: yield* digestOf(root, from, isFirst ? { code: undefined } : undefined) }),
    ...(isFirst && !isMet && { definitions: checkedTree(root, from, session?.named).definitions }),
  };
}

const BESIDE_MAX = 3;
const EFFECTS_MAX = 12;

/** The work trees the tool use writes to and the one the session began in: neither depends on the shell's directory. */
function besides(root: string, { operation, places }: Looking, session: Session | undefined): readonly string[] {
  const written = (operation?.effects ?? []).filter(
    ({ kind, path, elsewhere }) => (kind === "write" || kind === "delete") && !elsewhere && path.startsWith("/"),
  );
  const reached = written.slice(0, EFFECTS_MAX).flatMap(({ path }) => workTreeOf(real(dirname(path)))?.root ?? []);
  const begun = Object.keys(session?.defined ?? {}).slice(0, 1);
  const isOther = (one: string): boolean => one !== root && !within(one, places.state);
  return [...new Set([...begun, ...reached])].filter(isOther).slice(0, BESIDE_MAX);
}

export function* reviewedFiles(from: Looking): Steps<string> {
  const digest = yield* digestOf(rootOf(from.event.cwd, from.places.project), from);
  return "files" in digest ? digest.files : "";
}

export function* checkedTrees(from: Looking): Steps<readonly CheckedTree[] | Unknown> {
  const { event, places } = from;
  const session = sessionOf(from);
  if (event.name === "SessionStart") {
    const known = session && !isUnknown(session) ? session.named : undefined;
    const named = known ?? namedNow(from);
    const isAny = Object.keys(named).length > 0;
    return [{ ...checkedTree(rootOf(event.cwd, places.project), from, named), ...(isAny && { named }) }];
  }
  if (session && isUnknown(session)) return session;
  const trees: CheckedTree[] = [];
  for (const root of rootsOf(from, session))
    trees.push(
      withDigest(
        checkedTree(root, from, session?.named),
        yield* digestOf(root, from, { code: own(session?.work ?? {}, root)?.base }),
      ),
    );
  return trees;
}

function rootsOf({ event, places }: Looking, session: Session | undefined): readonly string[] {
  const works = Object.entries(session?.work ?? {});
  const [begun] = Object.keys(session?.defined ?? {});
  // In qa mode the checks are required even where nothing changed, and in the tree the session began in as well.
  const driven = session?.modes?.qa ? [...(begun ? [begun] : []), rootOf(event.cwd, places.project)] : [];
  // Once any tree was touched all of them are checked: a program can change a tree other than its own.
  if (works.every(([, { touchedAt }]) => touchedAt === 0)) return [...new Set(driven)];
  // A removed work tree owes nothing, except the one the session began in.
  const roots = works.map(([root]) => root).filter((root) => root === begun || existsSync(root));
  return [...new Set([...roots, ...driven])];
}

export function checkedTree(
  root: string,
  { settings, digest, places }: Pick<Looking, "settings" | "digest" | "places">,
  named?: NamedChecks,
): CheckedTree {
  const checks = checksOf(root, settings.verify.commands, places.home, named);
  return { root, checks, definitions: definitionsOf(root, checks, digest) };
}

function withDigest(tree: CheckedTree, digest: NonNullable<Workplace["digest"]>): CheckedTree {
  const changed = "changed" in digest ? (digest.changed ?? []) : [];
  const some = tree.checks.flatMap((check) => {
    const files = lookedAt(check, changed);
    return files.length < changed.length ? [[check.name, files] as const] : [];
  });
  return { ...tree, digest, ...(some.length > 0 && { concerned: Object.fromEntries(some) }) };
}

/** The commands that the host's variables name. */
function namedNow({ host, env }: Looking): NamedChecks {
  const all = Object.entries(host.checkVariables ?? {}).flatMap(([check, variable]) => {
    const command = env[variable] ?? "";
    return command !== "" && command.length <= NAMED_CHARS_MAX && !/[\r\n]/.test(command) ? [[check, command]] : [];
  });
  return Object.fromEntries(all);
}

const NAMED_CHARS_MAX = 200;

function digestOf(root: string, from: Looking, since?: Since): Steps<NonNullable<Workplace["digest"]>> {
  const { event } = from;
  const call = "call" in event ? event.call : "";
  return treeDigest(root, `${event.name}-${event.session}-${call}`, from, since);
}

/** The check that ended with this tool use or background task. */
function openCheck(event: HookEvent, session: Session | undefined) {
  const id = endedCall(event);
  return id === undefined ? undefined : own(session?.calls ?? {}, id)?.check;
}

export function endedCall(event: HookEvent): string | undefined {
  if (event.name === "PostToolUse" || event.name === "PostToolUseFailure") return event.call;
  return event.name === "UserPromptSubmit" ? event.notification?.call : undefined;
}
