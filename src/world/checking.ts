/** What the evidence of checks is made of: where a tool use works, which checks it runs, and how the tree stands. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { madeOf } from "../kernel/check.ts";
import { checkRunsIn } from "../kernel/check-run.ts";
import type { HookEvent } from "../kernel/event.ts";
import { type CheckedTree, type Facts, isUnknown, type Unknown, type Workplace } from "../kernel/facts.ts";
import { changes, type Operation } from "../kernel/operation.ts";
import { within } from "../kernel/paths.ts";
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
import { real, rootOf, workTreeOf } from "./work-tree.ts";

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
  if (open) return { root: open.root, ...(counts() && { digest: digestOf(open.root, from) }) };
  const { root, runs } = ranIn(from);
  const isKept = runs.length > 0 || mayChange(from);
  if (from.event.name !== "PreToolUse" || !isKept || !counts()) return { root };
  const beside = mayChange(from) ? besides(root, from, session).map((one) => placeAt(one, false, from, session)) : [];
  return { ...placeAt(root, runs.length > 0, from, session), ...(beside.length > 0 && { beside }) };
}

/** What only looks is not noted, so it would be the first again and again. */
function mayChange({ event, operation }: Looking): boolean {
  return event.name === "PreToolUse" && event.call !== "" && operation !== undefined && changes(operation);
}

function placeAt(root: string, runsCheck: boolean, from: Looking, session: Session | undefined): Workplace {
  const isFirst = own(session?.work ?? {}, root) === undefined;
  const isMet = own(session?.defined ?? {}, root) !== undefined;
  return {
    root,
    ...((isFirst || runsCheck) && { digest: digestOf(root, from) }),
    ...(isFirst && !isMet && { definitions: checkedTree(root, from).definitions }),
  };
}

const BESIDE_MAX = 3;
const EFFECTS_MAX = 12;

/** Where the tool use says that it writes, and where the session began: neither depends on where its shell stands. */
function besides(root: string, { operation, places }: Looking, session: Session | undefined): readonly string[] {
  const written = (operation?.effects ?? []).filter(
    ({ kind, path, elsewhere }) => (kind === "write" || kind === "delete") && !elsewhere && path.startsWith("/"),
  );
  const reached = written.slice(0, EFFECTS_MAX).flatMap(({ path }) => workTreeOf(real(dirname(path)))?.root ?? []);
  const begun = Object.keys(session?.defined ?? {}).slice(0, 1);
  const isOther = (one: string): boolean => one !== root && !within(one, places.state);
  return [...new Set([...begun, ...reached])].filter(isOther).slice(0, BESIDE_MAX);
}

export function reviewedFiles(from: Looking): string {
  const { event, places } = from;
  if (event.name !== "SubagentStop" || !isReviewer(event.agent?.type ?? "")) return "";
  const digest = digestOf(rootOf(event.cwd, places.project), from);
  return "files" in digest ? digest.files : "";
}

/** Both facts are about the same runs; they are read once. */
const known = new WeakMap<Looking, Ran>();

interface Ran {
  readonly root: string;
  readonly runs: readonly BegunCheck[];
}

export function checkRuns(from: Looking): readonly BegunCheck[] {
  return ranIn(from).runs;
}

function ranIn(from: Looking): Ran {
  const ran = known.get(from) ?? lookForRuns(from);
  known.set(from, ran);
  return ran;
}

/** Where the shell stands; or where the line itself goes, if that is where the session has been at work. */
function lookForRuns(from: Looking): Ran {
  const { event, operation, places, settings } = from;
  const root = rootOf(event.cwd, places.project);
  if (event.name !== "PreToolUse" || event.tool.kind !== "bash" || operation?.class === "read")
    return { root, runs: [] };
  const { command } = event.tool;
  if (!mayCheck(command, settings)) return { root, runs: [] };
  const session = sessionOf(from);
  const worked = session && !isUnknown(session) ? Object.keys(session.work ?? {}) : [];
  const roots = /\b(?:cd|pushd)\b/.test(command) ? [...new Set([root, ...worked])] : [root];
  const all = roots.map((one): Ran => ({ root: one, runs: runsOf(command, one, from) }));
  return all.find(({ runs }) => runs.some(({ how }) => how === "whole")) ?? all[0] ?? { root, runs: [] };
}

function runsOf(command: string, root: string, from: Looking): readonly BegunCheck[] {
  const { event, places, settings } = from;
  const checks = checksOf(root, settings.verify.commands, places.home);
  if (checks.length === 0) return [];
  const known = sessionOf(from);
  const session = known && !isUnknown(known) ? known : undefined;
  const pinned = own(session?.defined ?? {}, root);
  return checkRunsIn(command, real(event.cwd), root, checks, places.home).map(({ sourced, beside, ...run }) => {
    const check = checks.find(({ name }) => name === run.check);
    const definition = check && from.digest?.(madeOf(check)).slice(0, DEFINITION_CHARS);
    const isRedefined = pinned?.[run.check] !== undefined && pinned[run.check] !== definition;
    const why = beside === undefined ? doubtOf(run.command, root, sourced, from) : "beside";
    const doubt = run.how === "whole" && why ? ({ how: "unproven", why } as const) : {};
    return { ...run, ...doubt, ...(definition && { definition }), ...(isRedefined && { redefined: true as const }) };
  });
}

/** What the session has written where programs are looked for may be the very program that the check is. */
function doubtOf(command: string, root: string, sourced: string | undefined, from: Looking): "environment" | undefined {
  const { env, places } = from;
  const session = sessionOf(from);
  const searched = (env.PATH ?? "").split(":").filter((path) => path.startsWith("/") && !within(path, root));
  const isInstalled = (path: string): boolean =>
    path === sourced ||
    path.includes("/node_modules/") ||
    INSTALLED.some((place) => path.startsWith(`${root}/${place}/`)) ||
    searched.includes(dirname(path)) ||
    (within(path, places.home) && SHAPES_SHELLS.test(path.slice(places.home.length)));
  const isWritten = session && !isUnknown(session) && session.written?.some(isInstalled);
  return isWritten || isShadowed(command, root) ? "environment" : undefined;
}

const INSTALLED = [".venv", "venv", "vendor/bin"];

/** Below the home: what every shell of the client reads first, and where tools are told how to run. */
const SHAPES_SHELLS =
  /^\/(?:\.local\/bin\/|\.claude\/shell-snapshots\/|\.(?:ba|z)?sh(?:rc|env|_profile)$|\.(?:z|ba|)(?:profile|login)$|\.npmrc$|\.config\/go\/env$|\.cargo\/|\.rspec$|\.mavenrc$|\.m2\/settings\.xml$|\.gradle\/init)/;

/** `python -m pytest` takes a file of that name in the project first. */
function isShadowed(command: string, root: string): boolean {
  const [, module] = /^(?:\S*\/)?python[\d.]* -m (pytest|mypy|ruff|unittest|pyright|tox|nox)\b/.exec(command) ?? [];
  return module !== undefined && [`${module}.py`, `${module}/__init__.py`].some((name) => existsSync(join(root, name)));
}

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
  return rootsOf(from, session).map((root) => ({ ...checkedTree(root, from), digest: digestOf(root, from) }));
}

function rootsOf({ event, places }: Looking, session: Session | undefined): readonly string[] {
  const works = Object.entries(session?.work ?? {});
  const [begun] = Object.keys(session?.defined ?? {});
  // Whoever is driven until the checks pass is asked for them where nothing was changed, too; and not only where it stands.
  const driven = session?.modes?.qa ? [...(begun ? [begun] : []), rootOf(event.cwd, places.project)] : [];
  // One that was left alone may have been changed from another: a program goes where it likes.
  if (works.every(([, { touchedAt }]) => touchedAt === 0)) return [...new Set(driven)];
  // A work tree that was put away owes nothing; the one that the session began in is not put away.
  const roots = works.map(([root]) => root).filter((root) => root === begun || existsSync(root));
  return [...new Set([...roots, ...driven])];
}

export function checkedTree(
  root: string,
  { settings, digest, places }: Pick<Looking, "settings" | "digest" | "places">,
): CheckedTree {
  const checks = checksOf(root, settings.verify.commands, places.home);
  const definitions: Definitions = Object.fromEntries(
    checks.map((check) => [check.name, digest?.(madeOf(check)).slice(0, DEFINITION_CHARS) ?? ""]),
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
