/** The line that the host shows below its prompt. */
import { dirname } from "node:path";
import { probeGatehouse } from "../../daemon/probe.ts";
import type { SettingsText } from "../../hosts/setup.ts";
import { own } from "../../lib/keyed.ts";
import { coverageOf, type Session } from "../../state/session/session.ts";
import type { State } from "../../state/state.ts";
import { openKeeper } from "../../store/journal/disk.ts";
import { readPin } from "../../store/pin.ts";
import { isFault } from "../../store/store.ts";
import { leaveView } from "../../views/leave.ts";
import { statusline } from "../../views/statusline.ts";
import { keepContextUse } from "../../world/facts/context-use.ts";
import { placesOf, sessionsIn } from "../../world/machine/places.ts";
import { host, registration, setup } from "../host.ts";
import { here } from "../project.ts";
import { settingsFiles } from "./host-settings.ts";

/** A daemon that takes longer is shown as down, so that the status line stays fast. */
const PROBE_MS_MAX = 100;

/** `input`: what the host says about the session. Without anything readable the line describes the current directory. */
export async function statuslineFor(input: string): Promise<string> {
  const { session, directory = process.cwd(), used } = setup.statusIn(input);
  const { settings, program, key } = here(directory);
  const sessions = sessionsIn(process.env);
  const pinned = session === "" ? undefined : readPin(sessions, session);
  // The host tells the use of the context nowhere else. Kept only for sessions that hooks have seen, so that these
  // files stay as few as the pins.
  if (pinned) keepContextUse(sessions, session, used);
  const places = placesOf(host.layout, process.env, directory, [dirname(program.bundle)], pinned?.project);
  const state = openKeeper({ directory: places.journal, key }).read();
  if (isFault(state)) return `sekisho ✖ ${state.fault}`.slice(0, 160);
  const files = settingsFiles(places.hostSettings);
  const texts = files.flatMap(({ text }) => text ?? []);
  const ours = texts.flatMap((text) => registration.registrationIn(text) ?? []);
  const seen = session === "" ? newestIn(state.sessions) : own(state.sessions, session);
  const isFast = ours.some(({ lane }) => lane === "fast");
  return statusline({
    now: Date.now(),
    enabled: settings.settings.enabled,
    registered: ours.length + (isByPlugin(files, session === "" ? undefined : seen) ? 1 : 0),
    disarms: texts.flatMap((text) =>
      host.arming(text, program).disarms.filter((key) => key in setup.settings.switches),
    ),
    session: seen,
    gatehouse: isFast ? (await probeGatehouse(process.env, { timeoutMs: PROBE_MS_MAX })).state : undefined,
    inForce: leaveWords(state),
    gaps: seen ? coverageOf(seen).gapCount : 0,
  });
}

/**
 * True if the plugin is enabled in the settings, or loaded for this session only: then hooks ran without any
 * registration in a file.
 */
function isByPlugin(files: readonly SettingsText[], seen: Session | undefined): boolean {
  if (setup.settings.activePlugins(files).length > 0) return true;
  return seen !== undefined && seen.endedAt === undefined && Object.keys(seen.registration).length === 0;
}

function leaveWords(state: State): readonly string[] {
  const { pause, grants } = leaveView(state, Date.now());
  return [...(pause ? [`paused ${pause.left}`] : []), ...(grants.length > 0 ? [`${grants.length} allowed`] : [])];
}

function newestIn<S extends { readonly lastAt: number }>(sessions: Readonly<Record<string, S>>): S | undefined {
  return Object.values(sessions).reduce<S | undefined>((a, b) => (a && a.lastAt >= b.lastAt ? a : b), undefined);
}
