/** Tells which of our own files, or of the host's records, an effect reaches. Uncertainty counts against the effect. */
import type { Places } from "../../../kernel/facts.ts";
import type { HostTraits } from "../../../kernel/host-traits.ts";
import { names } from "../../../lib/name-table.ts";
import { shellPattern, within } from "../../../lib/paths.ts";
import { type Text, text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";

export interface OwnPlace {
  readonly kind: "state" | "config" | "program" | "registration" | "records";
  readonly path: string;
}

export const PLACE_NAMES: Readonly<Record<OwnPlace["kind"], Text>> = {
  state: text("Sekisho's journal and state", "関所の記録と状態"),
  config: text("Sekisho's configuration", "関所の設定"),
  program: text("Sekisho's program", "関所のプログラム"),
  registration: text("the settings file in which the hooks are registered", "フックが登録された設定ファイル"),
  records: text("the client's own record of its sessions", "クライアント自身のセッション記録"),
};

/** Built on demand: each entry costs several disk lookups, and most commands need none. */
export interface OwnPlaces {
  readonly all: readonly OwnPlace[];
  /** The host's records, which many programs may read. */
  readonly records: readonly OwnPlace[];
  readonly host: HostTraits;
}

export function ownPlaces(places: Places, host: HostTraits): OwnPlaces {
  return new LookedUp(places, host);
}

class LookedUp implements OwnPlaces {
  readonly host: HostTraits;
  private readonly places: Places;
  private found: readonly OwnPlace[] | undefined;
  private recorded: readonly OwnPlace[] | undefined;

  constructor(places: Places, host: HostTraits) {
    this.places = places;
    this.host = host;
  }

  get all(): readonly OwnPlace[] {
    this.found ??= listed(this.places);
    return this.found;
  }

  get records(): readonly OwnPlace[] {
    this.recorded ??= this.places.hostRecords.map((path) => ({ kind: "records", path }));
    return this.recorded;
  }
}

function listed({ state, config, installed, hostSettings }: Places): readonly OwnPlace[] {
  return [
    { kind: "state", path: state },
    ...config.map((path) => ({ kind: "config" as const, path })),
    ...installed.map((path) => ({ kind: "program" as const, path })),
    ...hostSettings.map((path) => ({ kind: "registration" as const, path })),
  ];
}

/** The context of an effect. */
export interface EffectContext {
  readonly host: HostTraits;
  readonly project: string;
  readonly home: string;
  readonly targets: Readonly<Record<string, string>>;
}

export function placeReached(effect: Effect, ground: EffectContext, places: OwnPlaces): OwnPlace | undefined {
  const { host } = ground;
  const isLink = isLinking(effect);
  if (effect.elsewhere || (effect.kind === "read" && !isLink)) return undefined;
  const path = ground.targets[effect.path] ?? effect.path;
  if (isPlaybook(effect, path) && !isLink) return undefined;
  // Any directory of this name configures some project, and a project can be moved.
  if (path.includes("/.sekisho") && /\/\.sekisho(?:\/|$)/.test(path)) return { kind: "config", path };
  const through =
    effect.spelled.startsWith("/dev/") || effect.spelled.startsWith("/proc/")
      ? byTheKernelPattern().exec(effect.spelled)?.[1]
      : undefined;
  const recorded = host.ownNotes.test(path) || CREATES_ONLY.has(effect.by) ? [] : places.records;
  return [...places.all, ...recorded].find((place) => {
    // A path through /proc or /dev/fd: only the part after it is known.
    if (through !== undefined && (couldMeanByName(through, place) || INSIDE[place.kind]?.includes(through)))
      return true;
    if (!path.startsWith("/")) return couldMeanByName(path, place);
    if (within(path, place.path)) return true;
    if (isLink) return within(place.path, path);
    if (!effect.literal) return couldBecome(effect, path, place, ground);
    return effect.glob ? globReaches(effect, path, place, ground) : takesAlong(effect, path, place, ground);
  });
}

/** Plans are written by the agent. What they grant is in the journal. */
function isPlaybook({ kind, literal, glob, recursive }: Effect, path: string): boolean {
  const isOne = literal && !glob && !recursive && (kind === "write" || kind === "delete");
  return isOne && /\/\.sekisho\/playbooks\/[^/]+\.md$/.test(path);
}

/** The working directory, root or an open directory of a process, and the path after it. */
const byTheKernelPattern = (): RegExp =>
  /^\/(?:dev\/fd\/(?:\.\.\/(?:cwd|root)|\d+)|proc\/[^/]+(?:\/task\/[^/]+)?\/(?:cwd|root|fd\/\d+))\/(.+)$/;

/** A link to one of our files, or to a directory above them, allows writing through it. */
function isLinking({ by, invocation }: Effect): boolean {
  if (by === "ln" || by === "link") return true;
  return (
    by === "cp" &&
    invocation?.args.some(({ text: word }) => /^-[a-zA-Z]*[ls]|^--(?:symbolic-)?link$/.test(word)) === true
  );
}

/** The directory is unknown, so the name alone decides. */
function couldMeanByName(path: string, place: OwnPlace): boolean {
  return path !== "" && place.path.endsWith(`/${path.replace(/^\.\//, "")}`);
}

/** Part of the path is known: a result of find, or the beginning of a name. */
function couldBecome(effect: Effect, path: string, place: OwnPlace, { project, home }: EffectContext): boolean {
  const isVague = within(project, path) || within(home, path);
  const found = /\/\u2026(?:\/(.+))?$/.exec(effect.spelled);
  if (!found) return !isVague && place.path.startsWith(path);
  if (!within(place.path, path)) return false;
  const [, name] = found;
  // A search that begins close to our directory may find any file in it.
  if (!isVague) return true;
  if (name === undefined) return false;
  const matcher = shellPattern(name);
  const names = [...place.path.slice(path.length).split("/"), ...(INSIDE[place.kind] ?? [])];
  return names.some((segment) => segment !== "" && matcher.test(segment));
}

/** The installed files of the program. */
export const OUR_FILES = [
  "sekisho.cjs",
  "hook.cjs",
  // Copies of version 0.1.0 that `sekisho upgrade` keeps have these two.
  "hook-gate.cjs",
  "hook-after.cjs",
  "shell.cjs",
  "cli.cjs",
  "gatehouse.cjs",
  "daemon.cjs",
  "watch.cjs",
  "fall-back.cjs",
  "settings-rules.cjs",
  "settings-yaml.cjs",
  "activity.cjs",
  "agents.cjs",
  "snapshot.cjs",
  "context.cjs",
];

/** Files in our directories, for searches by name from far above. */
const INSIDE: Readonly<Partial<Record<OwnPlace["kind"], readonly string[]>>> = {
  state: ["journal.00000001.jsonl", "snap.00000001.1.abc", "gatehouse", "door.json", "run.json", "program.json"],
  program: OUR_FILES,
  config: ["config.yaml", "config.local.yaml"],
};

/** Removing a directory removes everything in it; writing into one may replace a file there. */
function takesAlong(effect: Effect, path: string, place: OwnPlace, { project, home, host }: EffectContext): boolean {
  const isAbove = within(place.path, path);
  const isWholeTree = within(project, path);
  if (effect.kind === "delete") return isAbove && !(effect.by === "git" && isWholeTree);
  if (effect.kind === "meta") return isAbove && effect.recursive && !isWholeTree && path !== home;
  return parentOf(place.path) === path && dropsInto(effect, place, host);
}

const CREATES_ONLY = names("mkdir touch");

function dropsInto({ by, invocation }: Effect, { kind, path }: OwnPlace, { fileTools }: HostTraits): boolean {
  if (CREATES_ONLY.has(by) || fileTools.includes(by)) return false;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    kind === "registration" ||
    invocation?.args.some(({ text: word }) => word.replace(/\/+$/, "").endsWith(name)) === true
  );
}

function globReaches(effect: Effect, pattern: string, place: OwnPlace, ground: EffectContext): boolean {
  const matcher = shellPattern(pattern);
  if (matcher.test(place.path) || within(staticPart(pattern), place.path)) return true;
  // A name below a directory that matches the pattern.
  const head = pattern.split("/").slice(0, place.path.split("/").length).join("/");
  if (head !== pattern && shellPattern(head).test(place.path)) return true;
  return ancestors(place.path).some((above) => matcher.test(above) && takesAlong(effect, above, place, ground));
}

/** The directory before the first wildcard of a pattern. */
function staticPart(pattern: string): string {
  const at = pattern.search(/[*?[{(!+@]/);
  return at < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf("/", at));
}

function ancestors(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(2).map((_, at) => parts.slice(0, at + 2).join("/"));
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}
