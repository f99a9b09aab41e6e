/** Shared by both lanes: sets up the hall for one event. */
import type * as ChildProcess from "node:child_process";
import { basename, dirname, join } from "node:path";
import type { Hall } from "../app/hall.ts";
import type { Means } from "../app/perform.ts";
import { HOST, hosts } from "../hosts/index.ts";
import type { Door, Program } from "../hosts/registration.ts";
import type { HookEvent } from "../kernel/event.ts";
import type { Places } from "../kernel/facts.ts";
import type { SnapshotOutcome, SnapshotRequest } from "../kernel/snapshot-request.ts";
import { lawIds, policiesOn } from "../policies/by-event.ts";
import { keyIn } from "../state/person-key.ts";
import { CANARY } from "../state/session/session.ts";
import type { CheckedSettings } from "../state/settings/settings.ts";
import { authorityOf, type KeyInForce } from "../store/authority.ts";
import { builtin } from "../store/builtin.ts";
import { sha256Hex } from "../store/digest.ts";
import { readDoor } from "../store/door.ts";
import { openKeeper } from "../store/journal/disk.ts";
import { keyFileState, keyInFile } from "../store/key-file.ts";
import { freshenPin, type Pin, pinStamp, readPin, renewPin, writePin } from "../store/pin.ts";
import { loadSettings } from "../store/settings/settings.ts";
import type * as Yaml from "../store/settings/settings-yaml.ts";
import type { Keeper } from "../store/store.ts";
import type * as Undo from "../undo/index.ts";
import { type Environment, placesOf, sessionsIn, stateRoot } from "../world/machine/places.ts";
import { runNow } from "../world/machine/program.ts";

declare const __VERSION__: string;
declare const require: NodeJS.Require;

type Files = Pick<Program, "node" | "bundle" | "key">;
/** The host whose events arrive on both lanes. */
export const host = hosts[HOST];

type Furniture = Pick<
  Hall,
  "host" | "policiesOn" | "settingsOf" | "readYaml" | "changeQueue" | "armingOf" | "digest" | "vouches" | "keyFile"
> &
  Keyed;

/** The person's key: the one that the hooks name, else the one in the state directory. */
export interface Keyed {
  readonly key: KeyInForce;
}

/** `registered` is the program that the hooks name, if it differs from the running one. */
export function furniture(running: Files, env: Environment, registered: Files = running): Furniture {
  const program = programWithDoor(registered, env);
  const pinned = keyIn(registered.key);
  const key = pinned ? { key: pinned } : keyInFile(stateRoot(env));
  return {
    key,
    keyFile: () => (pinned ? keyFileState(pinned, stateRoot(env)) : "as-named"),
    vouches: (journal, record) => authorityOf(key, basename(journal)).vouches(record),
    host,
    policiesOn,
    settingsOf: (places) => settingsOf(places, running.bundle),
    readYaml: (text) => yamlBundle(running.bundle).readLoose(text),
    changeQueue: (path, change) => {
      const { changeQueueFile, HURRIED } = yamlBundle(running.bundle);
      changeQueueFile(path, change, HURRIED);
    },
    armingOf: (text, pointedTo) =>
      host.arming(text, pointedTo ? programWithDoor({ ...pointedTo, key: registered.key }, env) : program),
    digest: sha256Hex,
  };
}

/** Looks up the door only on demand: the plain lane never asks, and there the door need not exist. */
function programWithDoor({ node, bundle, key }: Files, env: Environment): Program {
  let door: { readonly is: Door | undefined } | undefined;
  return {
    node,
    bundle,
    key,
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
    ...lawIds(),
    loadReader: () => yamlBundle(bundle).readYaml,
  });
}

function yamlBundle(bundle: string): typeof Yaml {
  return require(join(dirname(bundle), "settings-yaml.cjs")) as typeof Yaml;
}

/** For a process that answers one event: everything is done at once, and copying is loaded when it is needed. */
export function meansAtOnce(bundle: string, key: KeyInForce): Means {
  let keeper: Keeper | undefined;
  return {
    storeOf: (directory) => {
      keeper ??= openKeeper({ directory, key });
      return keeper;
    },
    run: (program) => runNow(program, builtin<typeof ChildProcess>("node:child_process")),
    copy: (request) => copyNow(request, bundle),
    wait: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  };
}

function copyNow(request: SnapshotRequest, bundle: string): SnapshotOutcome {
  try {
    const { snapshot } = require(join(dirname(bundle), "snapshot.cjs")) as typeof Undo;
    return snapshot(request);
  } catch (error) {
    return { is: "failed", problem: error instanceof Error ? error.message : String(error) };
  }
}

interface Pinning {
  readonly env: Environment;
  /** Running or registered programs, which must not be modified. */
  readonly programs: readonly Files[];
  readonly now: number;
  /** The pin, if it was read already. */
  readonly pin?: Pin | undefined;
}

/** The first event of a session fixes its project. A session without an id is not pinned. */
export function pinnedPlaces(cwd: string, session: string, { env, programs, now, pin }: Pinning): Places {
  const installed = programs.flatMap(({ node, bundle }) => [dirname(bundle), node]);
  if (!isNamed(session)) return placesOf(host.layout, env, cwd, installed);
  const pins = sessionsIn(env);
  const before = pin ?? readPin(pins, session);
  const places = placesOf(host.layout, env, cwd, installed, before?.project);
  if (!before) writePin(pins, session, { project: places.project, env: {} }, now);
  return places;
}

/**
 * Pins the host's environment at SessionStart, or at the first prompt of a session, for use by the daemon. Only the
 * host's own events count, because another caller could name its own settings.
 */
export function pinSurroundings({ name, session }: HookEvent, project: string, env: Environment, program: Files): void {
  if (session === "unknown" || !(name === "SessionStart" || name === "UserPromptSubmit")) return;
  const before = readPin(sessionsIn(env), session);
  if (name === "UserPromptSubmit" && Object.keys(before?.env ?? {}).length > 0) {
    freshenPin(sessionsIn(env), session, Date.now());
    return;
  }
  const { node, bundle } = program;
  const pin = { project: before?.project ?? project, env: surroundings(env), program: { node, bundle } };
  renewPin(sessionsIn(env), session, pin);
}

export function pinOf(env: Environment, session: string): Pin | undefined {
  return isNamed(session) ? readPin(sessionsIn(env), session) : undefined;
}

/** Stays the same as long as the result of `pinOf` does. */
export function pinStampOf(env: Environment, session: string): string {
  return isNamed(session) ? pinStamp(sessionsIn(env), session) : "";
}

/** An event without a session id uses its own directory. */
function isNamed(session: string): boolean {
  return session !== "unknown" && session !== CANARY;
}

/** Variables that decide the paths, which programs a shell runs, whether a person is present, and the language. */
const SURROUNDINGS: readonly string[] = [
  ...host.sessionVariables,
  "PATH",
  "BASH_ENV",
  "ENV",
  "ZDOTDIR",
  "HOME",
  "XDG_CONFIG_HOME",
  "LANG",
  "LC_ALL",
  "LC_MESSAGES",
  // Which terminal multiplexer a command of the agent would talk to.
  "TMUX",
  "TMUX_TMPDIR",
];

function surroundings(env: Environment): Record<string, string> {
  const known = SURROUNDINGS.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return Object.fromEntries(known);
}

/** The relevant part of the host's environment, for an event that came without one. */
export function environmentOf(own: Environment, pin: Pin | undefined): Environment {
  const without = Object.entries(own).filter(([name]) => !SURROUNDINGS.includes(name));
  return pin && Object.keys(pin.env).length > 0 ? { ...Object.fromEntries(without), ...pin.env } : own;
}
