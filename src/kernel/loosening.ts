/** What the settings switch off: it counts for a running session once a person was told of it. */
import type { Session } from "../state/session.ts";
import type { Settings } from "../state/settings.ts";
import type { EventName } from "./event.ts";
import { inline, type Text, text } from "./text.ts";

export const OPTED_OUT: Text = text(
  "this project has opted out: nothing is checked.",
  "このプロジェクトは関所を外しています。",
);

/** Undefined when nothing is. */
export function switchedOff({ policies, secrets }: Settings): Text | undefined {
  const off = [
    ...Object.entries(policies).flatMap(([id, wanted]) => (wanted === "off" ? [id] : [])),
    ...(secrets.env_files === "pass" ? ["secrets.env_files"] : []),
    ...secrets.exempt.map((place) => `secrets.exempt ${inline(place, 80)}`),
  ];
  return off.length === 0
    ? undefined
    : text(`switched off here: ${off.join(", ")}.`, `ここでは無効: ${off.join(", ")}。`);
}

/**
 * A patch, an archive or a script can bring a settings file that no tool use names. In a session that began under the
 * law such a file opens nothing by itself: first a person is told, at the next prompt.
 */
export function settingsInForce(settings: Settings, name: EventName, session: Session | undefined): Settings {
  if (!session?.client || session.endedAt !== undefined || TELLING.has(name)) return settings;
  const isTold = (notice: Text | undefined): boolean => notice === undefined || session.shown.includes(notice.en);
  const isOffTold = isTold(switchedOff(settings));
  return {
    ...settings,
    enabled: settings.enabled || !isTold(OPTED_OUT),
    policies: isOffTold ? settings.policies : {},
    secrets: isOffTold ? settings.secrets : strict(settings.secrets),
  };
}

function strict(secrets: Settings["secrets"]): Settings["secrets"] {
  return { ...secrets, exempt: [], env_files: secrets.env_files === "pass" ? "ask" : secrets.env_files };
}

const TELLING: ReadonlySet<EventName> = new Set(["SessionStart", "UserPromptSubmit"]);
