/** What the two lanes share: how the hall is furnished for one event. */
import type * as ChildProcess from "node:child_process";
import { dirname, join } from "node:path";
import type { Hall, Unfinished } from "./hook.ts";
import { arming } from "./hosts/claude-code/arming.ts";
import type { Door, Program } from "./hosts/claude-code/hooks.ts";
import type { Pending, Reply } from "./hosts/host.ts";
import type { HookEvent } from "./kernel/event.ts";
import type { Places } from "./kernel/facts.ts";
import type { SnapshotOutcome } from "./kernel/snapshot-request.ts";
import { policies } from "./policies/index.ts";
import { CANARY } from "./state/session.ts";
import type { CheckedSettings } from "./state/settings.ts";
import { builtin } from "./store/builtin.ts";
import { sha256Hex } from "./store/digest.ts";
import { readDoor } from "./store/door.ts";
import { type Pin, pinStamp, readPin, renewPin, writePin } from "./store/pin.ts";
import { loadSettings } from "./store/settings.ts";
import type * as Undo from "./undo/index.ts";
import { runNow } from "./world/errand.ts";
import { type Environment, placesOf, sessionsIn, stateRoot } from "./world/places.ts";

declare const __VERSION__: string;
declare const require: NodeJS.Require;

type Files = Pick<Program, "node" | "bundle">;
type Furniture = Pick<Hall, "policies" | "settingsOf" | "armingOf" | "digest" | "run">;

/** `registered` is the program that the hooks name, where that is not the one that runs. */
export function furniture(running: Files, env: Environment, registered: Files = running): Furniture {
  const program = programWithDoor(registered, env);
  return {
    policies,
    settingsOf: (places) => settingsOf(places, running.bundle),
    armingOf: (text, pointedTo) => arming(text, pointedTo ? programWithDoor(pointedTo, env) : program),
    digest: sha256Hex,
    run: (errand) => runNow(errand, builtin<typeof ChildProcess>("node:child_process")),
  };
}

/** The door is looked for when somebody asks: on the plain lane nobody does, and there it need not exist. */
function programWithDoor({ node, bundle }: Files, env: Environment): Program {
  let door: { readonly is: Door | undefined } | undefined;
  return {
    node,
    bundle,
    get door() {
      door ??= { is: readDoor(stateRoot(env)) };
      return door.is;
    },
  };
}

function settingsOf(places: Places, bundle: string): CheckedSettings {
  return loadSettings({
    files: places.settingsFiles,
    cache: `${places.journal}/settings.json`,
    program: __VERSION__,
    policyIds: policies.map(({ id }) => id),
    floorIds: policies.filter(({ floor }) => floor).map(({ id }) => id),
    loadReader: () => require(join(dirname(bundle), "settings-yaml.cjs")).readYaml,
  });
}

/** Nobody else waits for this process. */
export function afterFormat({ format, ...pending }: Unfinished, run: Hall["run"]): Pending {
  return format && run ? format.finish(run(format.errand)) : pending;
}

/** Nobody else waits for this process: what must be done first is done here. Its code is loaded by those who need it. */
export function afterSnapshot({ snapshot: asked, ...reply }: Pending, bundle: string): Reply {
  if (!asked) return reply;
  let outcome: SnapshotOutcome;
  try {
    const { snapshot } = require(join(dirname(bundle), "snapshot.cjs")) as typeof Undo;
    outcome = snapshot(asked.request);
  } catch (error) {
    outcome = { is: "failed", problem: error instanceof Error ? error.message : String(error) };
  }
  return asked.finish(outcome);
}

interface Pinning {
  readonly env: Environment;
  /** Whatever runs or is registered, and must not be touched. */
  readonly programs: readonly Files[];
  readonly now: number;
  /** What was read already. */
  readonly pin?: Pin | undefined;
}

/** A session's project is decided at its first event, whoever sends it; for one without a name nothing is kept. */
export function pinnedPlaces(cwd: string, session: string, { env, programs, now, pin }: Pinning): Places {
  const installed = programs.flatMap(({ node, bundle }) => [dirname(bundle), node]);
  if (!isNamed(session)) return placesOf(env, cwd, installed);
  const pins = sessionsIn(env);
  const before = pin ?? readPin(pins, session);
  const places = placesOf(env, cwd, installed, before?.project);
  if (!before) writePin(pins, session, { project: places.project, env: {} }, now);
  return places;
}

/**
 * What the client was started with, as it is at the beginning of a session, or at the first prompt we see of one. Kept
 * for the gatehouse, and only when the client itself has spoken: anybody else could name settings of his own.
 */
export function pinSurroundings({ name, session }: HookEvent, project: string, env: Environment, program: Files): void {
  if (session === "unknown" || !(name === "SessionStart" || name === "UserPromptSubmit")) return;
  const before = readPin(sessionsIn(env), session);
  if (name === "UserPromptSubmit" && Object.keys(before?.env ?? {}).length > 0) return;
  renewPin(sessionsIn(env), session, { project: before?.project ?? project, env: surroundings(env), program });
}

export function pinOf(env: Environment, session: string): Pin | undefined {
  return isNamed(session) ? readPin(sessionsIn(env), session) : undefined;
}

/** The same as long as `pinOf` would say the same. */
export function pinStampOf(env: Environment, session: string): string {
  return isNamed(session) ? pinStamp(sessionsIn(env), session) : "";
}

/** What has no session of its own belongs where it says it is. */
function isNamed(session: string): boolean {
  return session !== "unknown" && session !== CANARY;
}

/** What decides where things are, who is there to answer, and in which language. */
const SURROUNDINGS = [
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "HOME",
  "XDG_CONFIG_HOME",
  "LANG",
  "LC_ALL",
  "LC_MESSAGES",
] as const;

function surroundings(env: Environment): Record<string, string> {
  const known = SURROUNDINGS.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return Object.fromEntries(known);
}

/** The client's environment as far as it matters, for an event that came without one. */
export function environmentOf(own: Environment, pin: Pin | undefined): Environment {
  const without = Object.entries(own).filter(([name]) => !(SURROUNDINGS as readonly string[]).includes(name));
  return pin && Object.keys(pin.env).length > 0 ? { ...Object.fromEntries(without), ...pin.env } : own;
}
