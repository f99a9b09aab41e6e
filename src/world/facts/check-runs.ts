/** Facts about the checks that a command runs. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkRunsIn } from "../../evidence/checks/run.ts";
import { mayRunChecks } from "../../evidence/checks/tools.ts";
import { isUnknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { names } from "../../lib/name-table.ts";
import { within } from "../../lib/paths.ts";
import type { BegunCheck } from "../../state/session/checks.ts";
import type { Session } from "../../state/session/session.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { configDirectory } from "../machine/places.ts";
import { real, rootOf } from "../machine/work-tree.ts";
import { definitionsOf } from "./check-definitions.ts";
import { checksOf } from "./checks.ts";
import { type Looking, sessionOf } from "./looking.ts";
import { arePipesSetUp, doesWork } from "./shell-setup.ts";
import { sourcesAt } from "./sources.ts";

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
  const known = sessionOf(from);
  const session = known && !isUnknown(known) ? known : undefined;
  if (!mayCheck(command, settings, session)) return { root, runs: [] };
  const worked = Object.keys(session?.work ?? {});
  const roots = MOVES.occurIn(command) ? [...new Set([root, ...worked])] : [root];
  const all = roots.map((one): Ran => ({ root: one, runs: runsOf(command, one, from) }));
  return all.find(({ runs }) => runs.some(({ how }) => how === "whole")) ?? all[0] ?? { root, runs: [] };
}

const MOVES = names("cd pushd");

function runsOf(command: string, root: string, from: Looking): readonly BegunCheck[] {
  const { event, places, settings } = from;
  const known = sessionOf(from);
  const session = known && !isUnknown(known) ? known : undefined;
  const checks = checksOf(root, settings.verify.commands, places.home, session?.named);
  if (checks.length === 0) return [];
  const pinned = own(session?.defined ?? {}, root);
  const now = definitionsOf(root, checks, from.digest);
  const sources = sourcesAt(root, pinned?.tasks !== undefined && pinned.tasks === now.tasks);
  const project = { cwd: real(event.cwd), root, home: places.home, checks, sources, pipes: arePipesOn(command, from) };
  return checkRunsIn(command, project).map(({ sourced, beside, covers, ...run }) => {
    const definition = now[run.check];
    const isRedefined = pinned?.[run.check] !== undefined && pinned[run.check] !== definition;
    const changed = doubtOf(run.command, root, sourced, from);
    const why = beside === undefined ? changed : "beside";
    return {
      ...run,
      ...(run.how === "whole" && why && ({ how: "unproven", why } as const)),
      ...(covers !== undefined && changed === undefined && { covers }),
      ...(definition && { definition }),
      ...(isRedefined && { redefined: true as const }),
    };
  });
}

/** In the host's shell a check behind a pipe fails the line. */
function arePipesOn(command: string, from: Looking): boolean {
  const { host, settings, places, digest } = from;
  const session = sessionOf(from);
  if (settings.verify.pipes === "off" || !command.includes("|") || !host.shellSetup?.fits(command)) return false;
  if (!digest || !session || isUnknown(session) || !doesWork(from)) return false;
  return arePipesSetUp(from, { home: places.home, digest }, session.ground);
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

/** Most commands run no check; this tells without reading any file. */
export function mayCheck(command: string, { verify }: Settings, session: Session | undefined): boolean {
  return verify.commands.length > 0 || session?.named !== undefined || mayRunChecks(command);
}
