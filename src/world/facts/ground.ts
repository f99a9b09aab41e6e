/** Looks at what a check stands on and compares it with the start of the session. */
import { installIn, installsOutside } from "../../evidence/checks/install.ts";
import { programsOf } from "../../evidence/checks/programs.ts";
import { isIdle } from "../../evidence/checks/run.ts";
import { afterInstall, changedSince, type Footing, marksOf, relaid, unknownTo } from "../../evidence/ground.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { type Facts, type GroundFound, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import type { OpenCall } from "../../state/session/calls.ts";
import type { BegunCheck } from "../../state/session/checks.ts";
import type { Ground } from "../../state/session/ground.ts";
import type { HostProcess, Session } from "../../state/session/session.ts";
import type { Settings } from "../../state/settings/settings.ts";
import type { State } from "../../state/state.ts";
import { type Finder, programFootings, searchedState } from "../machine/footings.ts";
import { real, rootOf } from "../machine/work-tree.ts";
import { checksOf } from "./checks.ts";
import { hostShellFiles, type ShellLooking, shellFootings } from "./shell-ground.ts";
import { changedSetup, firstSetup } from "./shell-setup.ts";

export interface GroundLooking extends ShellLooking {
  readonly event: HookEvent;
  readonly places: Facts["places"];
  readonly settings: Settings;
  readonly state: State | Unknown;
  readonly now: number;
  readonly digest?: (text: string) => string;
  readonly parentOf: (session: Session | undefined) => HostProcess;
}

export function groundAtStart(from: GroundLooking, session: Session | undefined): GroundFound {
  const { event, places, now, state } = from;
  const speaker = from.parentOf(session);
  if (session?.ground && isSame(session.client, speaker)) return {};
  // A conversation that was cleared goes on in the same process under another id.
  const twin = session?.ground || isUnknown(state) ? undefined : twinOf(state, speaker);
  if (twin) return { lay: withoutSetup(twin) };
  const root = rootOf(event.cwd, places.project);
  const finder = finderOf(from);
  const [shell, programs] = [shellFootings(from, finder), programsAt(root, from, finder, session)];
  const known = session?.ground;
  if (!known || !session) return { lay: { at: now, shell: marksOf(shell), programs: { [root]: marksOf(programs) } } };
  const life = { from: known.at, to: session.lastAt };
  return {
    lay: {
      ...known,
      at: now,
      shell: relaid(shell, known.shell, life),
      programs: { ...known.programs, [root]: relaid(programs, own(known.programs, root) ?? "", life) },
    },
  };
}

function isSame(one: HostProcess | undefined, other: HostProcess): boolean {
  return one !== undefined && one.pid === other.pid && one.started === other.started;
}

function twinOf({ sessions }: State, speaker: HostProcess): Ground | undefined {
  const twins = Object.values(sessions).filter(({ client, ground }) => ground && isSame(client, speaker));
  return twins.reduce<Session | undefined>((last, one) => (one.lastAt > (last?.lastAt ?? -1) ? one : last), undefined)
    ?.ground;
}

/** The host has other setup files for each session. */
function withoutSetup({ setup: _, ...ground }: Ground): Ground {
  return ground;
}

export function finderOf({ places, digest }: Pick<GroundLooking, "places" | "digest">): Finder {
  return { home: places.home, digest: digest ?? ((text) => text) };
}

function programsAt(
  root: string,
  { settings, places, env }: GroundLooking,
  finder: Finder,
  session: Session | undefined,
): readonly Footing[] {
  const checks = checksOf(root, settings.verify.commands, places.home, session?.named);
  return programFootings(programsOf(checks, root), root, env, finder);
}

interface Ran {
  readonly root: string;
  readonly runs: readonly BegunCheck[];
}

/** Before a command that runs a check or a package manager. */
export function groundBefore(from: GroundLooking, session: Session | undefined, { root, runs }: Ran): GroundFound {
  const { event, places } = from;
  if (event.name !== "PreToolUse" || event.tool.kind !== "bash") return {};
  const { command } = event.tool;
  const place = { cwd: real(event.cwd), home: places.home, root };
  const install = installOn(command, runs, place);
  if (runs.length === 0 && install === undefined) return {};
  const look = lookAt(root, from, session);
  const { programs, doubts } = look;
  const changed = doubts.find(({ installed }) => install === undefined || installed !== true);
  return {
    ...found(changed),
    ...look.add,
    searched: look.searched,
    ...(install !== undefined && !changed && { install: { root, command: install, programs: marksOf(programs) } }),
  };
}

/**
 * Before any command: the host's setup files, if no command has run in its process yet. That is known only of a session
 * whose start was seen; that there are none is worth remembering, because one that comes later is a change.
 */
export function setupBefore(from: GroundLooking, session: Session | undefined): Pick<GroundFound, "add"> {
  if (!session?.ground) return {};
  const setup = firstSetup(from, finderOf(from), session.ground);
  return setup === undefined ? {} : { add: { setup } };
}

/** `npm ci && npm test` installs and checks; `uv run` installs what is missing. */
function installOn(
  command: string,
  runs: readonly BegunCheck[],
  place: Parameters<typeof installIn>[1],
): string | undefined {
  const isCheck = (words: readonly string[]): boolean => runs.some((run) => run.command.includes(words.join(" ")));
  const install = installIn(command, place, (step) => isIdle(step) || isCheck(step.words));
  return install ?? (runs.some((run) => run.command.startsWith("uv run")) ? "uv run" : undefined);
}

/** After it. What the package manager changed is accepted. */
export function groundAfter(
  from: GroundLooking,
  session: Session,
  { check, install }: OpenCall,
  isFirst: boolean,
): GroundFound {
  const root = install?.root ?? check?.root ?? "";
  const look = lookAt(root, from, session, {
    ...(install && { install }),
    isFirst,
  });
  const [changed] = look.doubts;
  const known = own(session.ground?.programs ?? {}, root);
  const isNew = install !== undefined && look.accepted !== known;
  return {
    ...found(changed),
    ...look.add,
    searched: look.searched,
    ...(isNew && { install: { ...install, programs: look.accepted } }),
  };
}

function found(changed: Footing | undefined): Pick<GroundFound, "changed"> {
  return changed ? { changed: { name: changed.name, installed: changed.installed === true } } : {};
}

function lookAt(
  root: string,
  from: GroundLooking,
  session: Session | undefined,
  { install, isFirst = false }: { install?: OpenCall["install"]; isFirst?: boolean } = {},
) {
  const finder = finderOf(from);
  const known: Ground = session?.ground ?? { at: session?.startedAt ?? from.now, shell: "", programs: {} };
  const isOutside = install !== undefined && installsOutside(install.command);
  const programs = programsAt(root, from, finder, session).map((one) =>
    isOutside ? { ...one, installed: true } : one,
  );
  const base = own(known.programs, root);
  const accepted = install ? afterInstall(programs, base ?? "", install.programs) : (base ?? "");
  const host = hostShellFiles(from, finder, known, programs);
  // Without a baseline a variable tells nothing.
  const shell = shellFootings(from, finder).filter(({ changedAt }) => session?.ground || changedAt !== undefined);
  // The host made them for the first command, before anything of the agent's could run.
  const strange = isFirst ? [] : host.strange;
  const doubts = [
    ...host.changed,
    ...strange,
    ...changedSince(shell, known.shell, known.at),
    ...changedSince(programs, accepted, known.at),
    ...changedSetup(from, finder, session?.ground),
  ];
  const isRootNew = base === undefined && doubts.length === 0;
  const add = {
    ...(host.fresh !== "" && { shell: host.fresh }),
    ...(isRootNew && { root, programs: marksOf(programs) }),
  };
  return {
    programs,
    accepted,
    doubts,
    searched: searchedState(from.env, root, finder),
    add: Object.keys(add).length > 0 ? { add } : {},
  };
}

/** After the first command of the host's process: its shell files are as the host made them if the command only read. */
export function groundAtFirstCommand(from: GroundLooking, { ground }: Session): GroundFound {
  const { event, places } = from;
  if (event.name !== "PostToolUse" || event.tool.kind !== "bash" || !ground) return {};
  const { class: kind } = operationOf(event.tool, { cwd: event.cwd, home: places.home });
  if (kind !== "read") return {};
  const finder = finderOf(from);
  const fresh = unknownTo(ground.shell, hostShellFiles(from, finder, ground, []).all);
  return fresh.length === 0 ? {} : { add: { shell: marksOf(fresh) } };
}
