/** What the evidence of checks is made of: where a tool use works, which checks it runs, and how the tree stands. */
import { checkRunsIn } from "../kernel/check-run.ts";
import type { HookEvent } from "../kernel/event.ts";
import { type CheckedTree, type Facts, isUnknown, type Unknown, type Workplace } from "../kernel/facts.ts";
import { changes, type Operation } from "../kernel/operation.ts";
import { isReviewer } from "../kernel/reviewer.ts";
import type { BegunCheck, Definitions } from "../state/checks.ts";
import { own } from "../state/keyed.ts";
import type { Session } from "../state/session.ts";
import type { Settings } from "../state/settings.ts";
import type { State } from "../state/state.ts";
import { checksOf } from "./checks.ts";
import type { RunErrand } from "./errand.ts";
import type { Environment } from "./places.ts";
import { treeDigest } from "./tree-digest.ts";
import { rootOf } from "./work-tree.ts";

interface Looking {
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly places: Facts["places"];
  readonly settings: Settings;
  readonly state: State | Unknown;
  readonly digest?: (text: string) => string;
  readonly run?: RunErrand | undefined;
  readonly deadline: number;
  readonly clock: () => number;
}

/** A program is run where its answer is kept, and nowhere else: nothing is kept of an event that `counts` for nobody. */
export function workplace(from: Looking, counts: () => boolean): Workplace | Unknown {
  const session = sessionOf(from);
  if (session && isUnknown(session)) return session;
  const open = openCheck(from.event, session);
  const root = open?.root ?? rootOf(from.event.cwd, from.places.project);
  const isFirst = isFirstChange(from, root, session);
  const looks = open !== undefined || isFirst || checkRuns(from).length > 0;
  if (!looks || !counts()) return { root };
  // A session that began elsewhere, or before our hooks, meets the checks of this work tree here.
  const isNew = isFirst && own(session?.defined ?? {}, root) === undefined;
  const definitions = isNew && { definitions: checkedTree(root, from).definitions };
  return { root, ...definitions, digest: digestOf(root, from) };
}

/** What only looks is not noted, so it would be the first again and again. */
function isFirstChange({ event, operation }: Looking, root: string, session: Session | undefined): boolean {
  const isKept = event.name === "PreToolUse" && event.call !== "" && operation !== undefined && changes(operation);
  return isKept && own(session?.work ?? {}, root) === undefined;
}

export function reviewedFiles(from: Looking): string {
  const { event, places } = from;
  if (event.name !== "SubagentStop" || !isReviewer(event.agent?.type ?? "")) return "";
  const digest = digestOf(rootOf(event.cwd, places.project), from);
  return "files" in digest ? digest.files : "";
}

/** Both facts are about the same runs; they are read once. */
const known = new WeakMap<Looking, readonly BegunCheck[]>();

export function checkRuns(from: Looking): readonly BegunCheck[] {
  const runs = known.get(from) ?? runsOf(from);
  known.set(from, runs);
  return runs;
}

function runsOf(from: Looking): readonly BegunCheck[] {
  const { event, operation, places, settings } = from;
  if (event.name !== "PreToolUse" || event.tool.kind !== "bash" || !mayCheck(event.tool.command, settings)) return [];
  if (operation?.class === "read") return [];
  const root = rootOf(event.cwd, places.project);
  const checks = checksOf(root, settings.verify.commands);
  if (checks.length === 0) return [];
  const known = sessionOf(from);
  const session = known && !isUnknown(known) ? known : undefined;
  const pinned = own(session?.defined ?? {}, root);
  return checkRunsIn(event.tool.command, event.cwd, root, checks, places.home).map(({ sourced, beside, ...run }) => {
    const check = checks.find(({ name }) => name === run.check);
    const definition = check && from.digest?.(check.definition).slice(0, DEFINITION_CHARS);
    const isRedefined = pinned?.[run.check] !== undefined && pinned[run.check] !== definition;
    const why = beside === undefined ? doubtOf(root, sourced, session) : "beside";
    const doubt = run.how === "whole" && why ? ({ how: "unproven", why } as const) : {};
    return { ...run, ...doubt, ...(definition && { definition }), ...(isRedefined && { redefined: true as const }) };
  });
}

/** What the session has written where programs are installed may be the very program that the check is. */
function doubtOf(root: string, sourced: string | undefined, session: Session | undefined): "environment" | undefined {
  const isInstalled = (path: string): boolean =>
    INSTALLED.some((place) => path.startsWith(`${root}/${place}/`)) || (sourced !== undefined && path === sourced);
  return session?.written?.some(isInstalled) ? "environment" : undefined;
}

const INSTALLED = ["node_modules", ".venv", "venv", "vendor/bin"];

/** So many letters of the digest tell one definition from another. */
const DEFINITION_CHARS = 24;

/** Most commands run no check, and nothing need be read to see that. */
function mayCheck(command: string, { verify }: Settings): boolean {
  return verify.commands.length > 0 || RUNNER.test(command);
}

const RUNNER =
  /\b(?:npm|npx|pnpm|yarn|bunx?|node|deno|make|just|python3?|pytest|uv|poetry|tox|nox|ruff|mypy|pyright|cargo|go|bundle|rspec|rake|rubocop|mvnw?|gradlew?|mix|composer|phpunit|sekisho|vitest|jest|mocha|eslint|tsc|biome|dotnet|swift)\b/;

export function checkedTrees(from: Looking): readonly CheckedTree[] | Unknown {
  const { event, places } = from;
  if (event.name === "SessionStart") return [checkedTree(rootOf(event.cwd, places.project), from)];
  const session = sessionOf(from);
  if (session && isUnknown(session)) return session;
  const touched = Object.entries(session?.work ?? {}).filter(([, { touchedAt }]) => touchedAt > 0);
  return touched.map(([root]) => ({ ...checkedTree(root, from), digest: digestOf(root, from) }));
}

export function checkedTree(root: string, { settings, digest }: Pick<Looking, "settings" | "digest">): CheckedTree {
  const checks = checksOf(root, settings.verify.commands);
  const definitions: Definitions = Object.fromEntries(
    checks.map(({ name, definition }) => [name, digest?.(definition).slice(0, DEFINITION_CHARS) ?? ""]),
  );
  return { root, checks, definitions };
}

function digestOf(root: string, from: Looking): NonNullable<Workplace["digest"]> {
  const { event } = from;
  const call = "call" in event ? event.call : "";
  return treeDigest(root, `${event.name}-${event.session}-${call}`, from);
}

/** The checks that have just ended with a tool use, or with a task in the background. */
function openCheck(event: HookEvent, session: Session | undefined) {
  const id = endedCall(event);
  return id === undefined ? undefined : own(session?.calls ?? {}, id)?.check;
}

export function endedCall(event: HookEvent): string | undefined {
  if (event.name === "PostToolUse" || event.name === "PostToolUseFailure") return event.call;
  return event.name === "UserPromptSubmit" ? event.notification?.call : undefined;
}

function sessionOf({ state, event }: Looking): Session | Unknown | undefined {
  return isUnknown(state) ? state : own(state.sessions, event.session);
}
