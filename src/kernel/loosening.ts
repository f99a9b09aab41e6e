/** Finds settings that loosen protection: they apply from the start of a session, and never to a running one. */

import { type Text, text } from "../lib/text.ts";
import { hadBegun } from "../state/dropped.ts";
import { type HostProcess, processName, type Session } from "../state/session/session.ts";
import { type PinnedValues, shownValue, withheldFrom, withinPin } from "../state/settings/pinned.ts";
import { gradedValues, isLooser } from "../state/settings/setting-rules.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import type { EventName } from "./event.ts";

export const OPTED_OUT: Text = text(
  "this project has opted out: nothing is checked.",
  "このプロジェクトは関所を外しています。",
);

export const PUSHED_OUT: Text = text(
  "many other sessions pushed this one out of the journal's state: its modes and evidence are gone. If you didn't start them, see `sekisho audit verify`.",
  "多数の別のセッションにより、このセッションの状態が記録から押し出されました: モードと証拠は失われています。心当たりがなければ `sekisho audit verify` を見てください。",
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
  const words = open.map(([key, value]) => `${key}: ${shownValue(value)}`).join(", ");
  return open.length === 0 ? undefined : text(`looser here than by default: ${words}.`, `既定より緩い設定: ${words}。`);
}

/** What the settings files say and what does not count in this session; undefined when there is nothing. */
export function withheld(written: Settings, inForce: Settings): Text | undefined {
  const words = withheldFrom(written, inForce).join(", ");
  return words === ""
    ? undefined
    : text(
        `looser in the settings files, but not in this session: ${words}. A new session begins with it; \`sekisho config set\` makes it count now.`,
        `設定ファイルで緩められましたが、このセッションには効きません: ${words}。新しいセッションから効きます。今すぐなら \`sekisho config set\`。`,
      );
}

export function pinOf(session: Session | undefined, process: HostProcess): PinnedValues | undefined {
  const name = processName(process);
  return session?.pins?.find(({ by }) => by === name)?.values;
}

/** The process had begun the session before that was pushed out of the state. */
export function isPushedOut(session: Session | undefined, process: HostProcess): boolean {
  return session?.dropped !== undefined && !pinOf(session, process) && hadBegun(session.dropped, processName(process));
}

/** Whether the process begins here: then the settings are those of the files, and they are its pin. */
export function isBeginning(name: EventName, session: Session | undefined, process: HostProcess): boolean {
  if (isPushedOut(session, process)) return false;
  if (pinOf(session, process)) return false;
  const { client } = session ?? {};
  return client === undefined || (name === "SessionStart" && processName(client) !== processName(process));
}

/**
 * A patch, archive or script can add or remove a settings file without a tool use naming it. In a running session this
 * loosens nothing: each process of the host has the settings that it began with.
 */
export function settingsInForce(
  settings: Settings,
  name: EventName,
  session: Session | undefined,
  process: HostProcess,
): Settings {
  return isBeginning(name, session, process) ? settings : withinPin(settings, pinOf(session, process) ?? {});
}
