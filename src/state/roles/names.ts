/** Finds the agent that a name means, and what its role says. */
import { nearestNames } from "../../lib/did-you-mean.ts";
import { own } from "../../lib/keyed.ts";
import { PRESETS, type Preset, type PresetName } from "./presets.ts";
import { ACTOR_NAME, type ClaimRule, type Forbidden, type Role } from "./role.ts";

/** The roles in force, as the settings say. */
export interface RoleSettings {
  readonly preset: "off" | PresetName;
  /** A person's own roles. One with the name of a shipped role replaces it. */
  readonly own: readonly Role[];
}

/** What an agent may do among others. */
export interface Standing {
  readonly supervisor: string;
  readonly writesTo?: readonly string[];
  readonly isExempt: boolean;
  readonly forbid: readonly Forbidden[];
  readonly claims?: ClaimRule;
}

function presetOf({ preset }: RoleSettings): Preset | undefined {
  return preset === "off" ? undefined : PRESETS[preset];
}

function rolesOf(settings: RoleSettings): readonly Role[] {
  const shipped = presetOf(settings)?.roles ?? [];
  return [...settings.own, ...shipped.filter(({ name }) => !settings.own.some((role) => role.name === name))];
}

/** The agents that a name stands for: one, several for a group, or none. `known` are names without a role. */
export function actorsNamed(given: string, settings: RoleSettings, known: readonly string[] = []): readonly string[] {
  const name = given.normalize("NFKC").trim();
  const preset = presetOf(settings);
  const group = own(preset?.groups ?? {}, name);
  if (group) return group.flatMap((each) => allNamed(each, settings));
  const box = own(preset?.boxes ?? {}, name);
  if (box !== undefined) return [box];
  for (const role of rolesOf(settings)) {
    const actor = actorOf(role, name);
    if (actor !== undefined) return [actor];
  }
  return known.includes(name) ? [name] : [];
}

/** Every name of the roles, for suggestions. */
export function allNames(settings: RoleSettings, known: readonly string[] = []): readonly string[] {
  const names = rolesOf(settings).flatMap(({ name }) => allNamed(name, settings));
  const preset = presetOf(settings);
  return [...new Set([...names, ...known, ...Object.keys({ ...preset?.groups, ...preset?.boxes })])];
}

export function nearest(given: string, names: readonly string[]): readonly string[] {
  const near = nearestNames(given, names);
  return near.length > 0 ? near : names.slice(0, 8);
}

/** The name under which a session works; undefined if the text is no name. */
export function actorFrom(given: string, settings: RoleSettings): string | undefined {
  const [actor, ...others] = actorsNamed(given, settings);
  if (actor !== undefined) return others.length === 0 ? actor : undefined;
  return ACTOR_NAME.test(given) ? given : undefined;
}

export function standingOf(actor: string, settings: RoleSettings): Standing {
  const role = rolesOf(settings).find((one) => actorOf(one, actor) === actor);
  const named = role?.supervisor ?? presetOf(settings)?.supervisor ?? "";
  const supervisor = actorsNamed(named, settings)[0] ?? named;
  return {
    supervisor: supervisor === actor ? "" : supervisor,
    ...(role?.writes_to && { writesTo: role.writes_to }),
    isExempt: role?.exempt ?? false,
    forbid: role?.forbid ?? [],
    ...(role?.claims && { claims: role.claims }),
  };
}

/** Whether an agent reports to another one, directly or through others. */
export function reportsTo(actor: string, to: string, settings: RoleSettings): boolean {
  const seen = new Set<string>();
  for (
    let at = standingOf(actor, settings).supervisor;
    at !== "" && !seen.has(at);
    at = standingOf(at, settings).supervisor
  ) {
    if (at === to) return true;
    seen.add(at);
  }
  return false;
}

/** The other name that a reader can take this one for: `Lead`, `1ead` and `lead_` look like `lead`. */
export function likeness(name: string, names: readonly string[]): string | undefined {
  const shape = shapeOf(name);
  return names.includes(name) ? undefined : names.find((other) => shapeOf(other) === shape);
}

function shapeOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[-_]/g, "")
    .replace(/[1i|]/g, "l")
    .replace(/0/g, "o")
    .replace(/5/g, "s")
    .replace(/rn/g, "m");
}

/** Whether the role of a sender lets it write to somebody. A person writes to everyone. */
export function mayWriteTo(from: string, to: string, settings: RoleSettings): boolean {
  const { writesTo, supervisor } = standingOf(from, settings);
  if (writesTo === undefined || to === supervisor || to === from) return true;
  return writesTo.some((name) => actorsNamed(name, settings).includes(to) || matches(name, to) !== undefined);
}

/** The agent that audits finished tasks. */
export function auditorIn(settings: RoleSettings): string | undefined {
  return rolesOf(settings).find(({ audits }) => audits)?.name;
}

/** Inboxes with a name of their own that this agent reads. */
export function boxesOf(actor: string, settings: RoleSettings): readonly string[] {
  return Object.entries(presetOf(settings)?.boxes ?? {}).flatMap(([box, reader]) => (reader === actor ? [box] : []));
}

function actorOf({ name, aliases = [], most = 99 }: Role, given: string): string | undefined {
  for (const pattern of [name, ...aliases]) {
    const number = matches(pattern, given);
    if (number === undefined) continue;
    if (!name.includes("#")) return name;
    const is = Number(number);
    return is >= 1 && is <= most ? name.replace("#", String(is)) : undefined;
  }
  return undefined;
}

/** The number for `#`, or an empty text if the pattern has none. */
function matches(pattern: string, given: string): string | undefined {
  if (!pattern.includes("#")) return pattern === given ? "" : undefined;
  const [before = "", after = ""] = pattern.split("#");
  const number = given.slice(before.length, given.length - after.length);
  const isOne = given.startsWith(before) && given.endsWith(after) && /^[0-9]{1,2}$/.test(number);
  return isOne ? number : undefined;
}

function allNamed(name: string, settings: RoleSettings): readonly string[] {
  if (!name.includes("#")) return [name];
  const most = Math.min(rolesOf(settings).find((role) => role.name === name)?.most ?? 8, 8);
  return Array.from({ length: most }, (_, at) => name.replace("#", String(at + 1)));
}
