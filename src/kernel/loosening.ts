/** Finds settings that loosen protection: they apply to a running session only after the person was told. */

import { type Text, text } from "../lib/text.ts";
import type { Session } from "../state/session/session.ts";
import { gradedValues, isLooser, withValues } from "../state/settings/setting-rules.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import type { EventName } from "./event.ts";

export const OPTED_OUT: Text = text(
  "this project has opted out: nothing is checked.",
  "このプロジェクトは関所を外しています。",
);

/** Undefined when no policy is disabled. */
export function switchedOff({ policies }: Settings): Text | undefined {
  const off = Object.entries(policies).flatMap(([id, wanted]) => (wanted === "off" ? [id] : []));
  return off.length === 0
    ? undefined
    : text(`switched off here: ${off.join(", ")}.`, `ここでは無効: ${off.join(", ")}。`);
}

/** Lists settings looser than the defaults; undefined when there are none. */
export function loosened(settings: Settings): Text | undefined {
  const defaults = gradedValues(defaultSettings);
  const open = Object.entries(gradedValues(settings)).filter(([key, value]) => isLooser(key, value, defaults[key]));
  const words = open.map(([key, value]) => `${key}: ${shown(value)}`).join(", ");
  return open.length === 0 ? undefined : text(`looser here than by default: ${words}.`, `既定より緩い設定: ${words}。`);
}

/** Settings stricter than the defaults. The session remembers them, so that removing one is noticed. */
export function tightened(settings: Settings): Readonly<Record<string, unknown>> {
  const defaults = gradedValues(defaultSettings);
  const values = Object.entries(gradedValues(settings)).filter(([key, value]) => isLooser(key, defaults[key], value));
  const on = Object.entries(settings.policies).filter(([, wanted]) => wanted === "on");
  return Object.fromEntries([...values, ...on.map(([id, wanted]) => [`policies.${id}`, wanted] as const)]);
}

/** Stricter settings of the session that no longer apply; undefined when there are none. */
export function released(settings: Settings, held: Readonly<Record<string, unknown>> = {}): Text | undefined {
  const now = tightened(settings);
  const gone = Object.keys(held).filter((key) =>
    key in now && !key.startsWith("policies.")
      ? isLooser(key, now[key], held[key])
      : shown(now[key]) !== shown(held[key]),
  );
  const words = gone.map((key) => `${key}: ${shown(held[key])}`).join(", ");
  return gone.length === 0 ? undefined : text(`no longer set here: ${words}.`, `次の設定は外されました: ${words}。`);
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.map(entryShown).join(" ") : String(value);
}

/** Rules are shown by their name. */
function entryShown(entry: unknown): string {
  return typeof entry === "object" && entry !== null ? String((entry as { name?: unknown }).name) : String(entry);
}

/**
 * A patch, archive or script can add or remove a settings file without a tool use naming it. In a running session this
 * loosens nothing until the person is told at the next prompt.
 */
export function settingsInForce(settings: Settings, name: EventName, session: Session | undefined): Settings {
  // The reported end of a session changes nothing: a child of the host can report it while the session goes on.
  if (!session?.client || TELLING.has(name)) return settings;
  const isTold = (notice: Text | undefined): boolean => notice === undefined || session.shown.includes(notice.en);
  const held = session.held ?? {};
  const defaults = isTold(loosened(settings)) ? {} : gradedValues(defaultSettings);
  const base = Object.entries({ ...defaults, ...held });
  const written = gradedValues(settings);
  const kept = base.filter(([key, value]) => key in written && isLooser(key, written[key], value));
  return {
    ...(kept.length === 0 ? settings : withValues(settings, Object.fromEntries(kept))),
    enabled: settings.enabled || !isTold(OPTED_OUT),
    policies: policiesInForce(settings, held, isTold(switchedOff(settings))),
  };
}

function policiesInForce(
  { policies }: Settings,
  held: Readonly<Record<string, unknown>>,
  isTold: boolean,
): Settings["policies"] {
  const written = Object.entries(policies).filter(([, wanted]) => wanted === "on" || isTold);
  const on = Object.keys(held).flatMap((key) => (key.startsWith("policies.") ? [key.slice("policies.".length)] : []));
  return { ...Object.fromEntries(written), ...Object.fromEntries(on.map((id) => [id, "on" as const])) };
}

const TELLING: ReadonlySet<EventName> = new Set(["SessionStart", "UserPromptSubmit"]);
