/** Facts for the evidence of checks: the work tree of a tool use, the checks it runs, and the state of the tree. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { madeOf } from "../../evidence/checks/check.ts";
import { checkRunsIn } from "../../evidence/checks/run.ts";
import type { CheckedTree, Workplace } from "../../evidence/tree.ts";
import type { Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { type Facts, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { names } from "../../lib/name-table.ts";
import { within } from "../../lib/paths.ts";
import { changes, type Operation } from "../../reading/operation/operation.ts";
import type { BegunCheck, Definitions } from "../../state/session/checks.ts";
import type { Session } from "../../state/session/session.ts";
import type { Settings } from "../../state/settings/settings.ts";
import type { State } from "../../state/state.ts";
import type { LookingHost } from "../host.ts";
import { configDirectory, type Environment } from "../machine/places.ts";
import { treeDigest } from "../machine/tree-digest.ts";
import { real, rootOf, workTreeOf } from "../machine/work-tree.ts";
import { checksOf } from "./checks.ts";

export interface Looking {
  readonly host: Pick<LookingHost, "shellFiles" | "layout">;
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly places: Facts["places"];
  readonly settings: Settings;
  readonly state: State | Unknown;
  readonly digest?: (text: string) => string;
  readonly deadline: number;
  readonly clock: () => number;
}

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
    ...((isFirst || runsCheck) && { digest: yield* digestOf(root, from) }),
    ...(isFirst && !isMet && { definitions: checkedTree(root, from).definitions }),
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

/** Two facts need the same runs, so they are computed once. */
const known = new WeakMap<Looking, Ran>();

interface Ran {
  readonly root: string;
  readonly runs: readonly BegunCheck[];
}

export function checkRuns(from: Looking): readonly BegunCheck[] {
  return ranIn(from).runs;
}

export function ranIn(from: Looking): Ran {
  const ran = known.get(from) ?? lookForRuns(from);
  known.set(from, ran);
  return ran;
}

/** Uses the shell's work tree, or one the session worked in if the command changes directory into it. */
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

/** A file the session wrote into a program directory may be the very program that the check runs. */
function doubtOf(command: string, root: string, sourced: string | undefined, from: Looking): "environment" | undefined {
  const { env, places, host } = from;
  const session = sessionOf(from);
  const searched = (env.PATH ?? "").split(":").filter((path) => path.startsWith("/") && !within(path, root));
  const isInstalled = (path: string): boolean =>
    path === sourced ||
    path.includes("/node_modules/") ||
    INSTALLED.some((place) => path.startsWith(`${root}/${place}/`)) ||
    searched.includes(dirname(path)) ||
    path.startsWith(`${configDirectory(host.layout, env, places.home)}/${host.shellFiles}/`) ||
    (within(path, places.home) && SHAPES_SHELLS.test(path.slice(places.home.length)));
  const isWritten = session && !isUnknown(session) && session.written?.some(isInstalled);
  return isWritten || isShadowed(command, root) ? "environment" : undefined;
}

const INSTALLED = [".venv", "venv", "vendor/bin"];

/** Files below the home directory that shells read first, or that tell tools how to run. */
const SHAPES_SHELLS =
  /^\/(?:\.local\/bin\/|\.(?:ba|z)?sh(?:rc|env|_profile)$|\.(?:z|ba|)(?:profile|login)$|\.npmrc$|\.config\/go\/env$|\.cargo\/|\.rspec$|\.mavenrc$|\.m2\/settings\.xml$|\.gradle\/init)/;

/** `python -m pytest` imports a module of that name from the project first. */
function isShadowed(command: string, root: string): boolean {
  const [, module] = /^(?:\S*\/)?python[\d.]* -m (pytest|mypy|ruff|unittest|pyright|tox|nox)\b/.exec(command) ?? [];
  return module !== undefined && [`${module}.py`, `${module}/__init__.py`].some((name) => existsSync(join(root, name)));
}

/** Enough characters of the digest to tell definitions apart. */
const DEFINITION_CHARS = 24;

/** Most commands run no check; their words tell without reading any file. */
function mayCheck(command: string, { verify }: Settings): boolean {
  return verify.commands.length > 0 || RUNNERS.occurIn(command);
}

/** Programs that run checks. */
export const RUNNERS = names(
  "npm npx pnpm yarn bun bunx node deno make just python python3 pytest uv poetry tox nox ruff mypy pyright cargo go " +
    "bundle rspec rake rubocop mvn mvnw gradle gradlew mix composer phpunit sekisho vitest jest mocha eslint tsc biome " +
    "dotnet swift",
);

export function* checkedTrees(from: Looking): Steps<readonly CheckedTree[] | Unknown> {
  const { event, places } = from;
  if (event.name === "SessionStart") return [checkedTree(rootOf(event.cwd, places.project), from)];
  const session = sessionOf(from);
  if (session && isUnknown(session)) return session;
  const trees: CheckedTree[] = [];
  for (const root of rootsOf(from, session))
    trees.push({ ...checkedTree(root, from), digest: yield* digestOf(root, from) });
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
): CheckedTree {
  const checks = checksOf(root, settings.verify.commands, places.home);
  const definitions: Definitions = Object.fromEntries(
    checks.map((check) => [check.name, digest?.(madeOf(check)).slice(0, DEFINITION_CHARS) ?? ""]),
  );
  return { root, checks, definitions };
}

function digestOf(root: string, from: Looking): Steps<NonNullable<Workplace["digest"]>> {
  const { event } = from;
  const call = "call" in event ? event.call : "";
  return treeDigest(root, `${event.name}-${event.session}-${call}`, from);
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

function sessionOf({ state, event }: Looking): Session | Unknown | undefined {
  return isUnknown(state) ? state : own(state.sessions, event.session);
}
