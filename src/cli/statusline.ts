import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { probeGatehouse } from "../gatehouse/probe.ts";
import { arming } from "../hosts/claude-code/arming.ts";
import { registrationIn } from "../hosts/claude-code/registered.ts";
import { own } from "../state/keyed.ts";
import { coverageOf, type Session } from "../state/session.ts";
import type { State } from "../state/state.ts";
import { openKeeper } from "../store/disk.ts";
import { readPin } from "../store/pin.ts";
import { isFault } from "../store/store.ts";
import { leaveView } from "../views/leave.ts";
import { statusline as lineOf } from "../views/statusline.ts";
import { keepContextUse } from "../world/context-use.ts";
import { readableHostFile } from "../world/host-file.ts";
import { placesOf, sessionsIn } from "../world/places.ts";
import { defineCommand } from "./command.ts";
import { activePlugins, settingsFiles } from "./elsewhere.ts";
import { here } from "./here.ts";
import { say } from "./print.ts";

export const statusline = defineCommand({
  name: "statusline",
  summary: "One short line for Claude Code's statusLine setting: last hook seen, verdicts, what is out of order.",
  options: {},
  examples: ['In settings.json: "statusLine": { "type": "command", "command": "sekisho statusline" }'],
  async run() {
    // It is shown all the time and asked for all the time: whatever happens, it is one line and no failure.
    try {
      say(await line(payloadIn(inputOf(process.stdin.isTTY === true))));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      say(`sekisho ? ${reason.replace(/\s+/g, " ").slice(0, 120)}`);
    }
    return 0;
  },
});

/** Without input, or with one that cannot be read, the line is about the directory one stands in. */
function inputOf(isTerminal: boolean): string {
  try {
    return isTerminal ? "" : readFileSync(0, "utf8");
  } catch {
    return "";
  }
}

interface Payload {
  readonly session: string;
  readonly directory: string;
  /** Percent of the context in use, as far as it is one. */
  readonly used: unknown;
}

interface Fields {
  readonly session_id?: unknown;
  readonly cwd?: unknown;
  readonly workspace?: { readonly project_dir?: unknown } | null;
  readonly context_window?: { readonly used_percentage?: unknown } | null;
}

/** What the client tells. */
function payloadIn(text: string): Payload {
  const fields = parsed(text) as Fields;
  const directory = [fields.workspace?.project_dir, fields.cwd].find((path) => typeof path === "string" && path !== "");
  const session = typeof fields.session_id === "string" && /^[\w-]+$/.test(fields.session_id) ? fields.session_id : "";
  return {
    session,
    directory: typeof directory === "string" ? directory : process.cwd(),
    used: fields.context_window?.used_percentage,
  };
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** A gatehouse that takes longer is as good as none for whoever waits for the line. */
const PROBE_MS_MAX = 100;

async function line({ session, directory, used }: Payload): Promise<string> {
  const { settings, program } = here(directory);
  const sessions = sessionsIn(process.env);
  const pinned = session === "" ? undefined : readPin(sessions, session);
  // Only for sessions that hooks have seen: so there are never more of these than of pins.
  if (pinned) keepContextUse(sessions, session, used);
  const places = placesOf(process.env, directory, [dirname(program.bundle)], pinned?.project);
  const state = openKeeper({ directory: places.journal }).read();
  if (isFault(state)) return `sekisho ✖ ${state.fault}`.slice(0, 160);
  const texts = places.hostSettings.flatMap((path) => readableHostFile(path) ?? []);
  const ours = texts.flatMap((text) => registrationIn(text) ?? []);
  const seen = session === "" ? newestIn(state.sessions) : own(state.sessions, session);
  const isFast = ours.some(({ lane }) => lane === "fast");
  return lineOf({
    now: Date.now(),
    enabled: settings.settings.enabled,
    registered: ours.length + (isByPlugin(places.hostSettings, session === "" ? undefined : seen) ? 1 : 0),
    disarms: texts.flatMap((text) => arming(text, program).disarms.filter((key) => SWITCHES.includes(key))),
    session: seen,
    gatehouse: isFast ? (await probeGatehouse(process.env, { timeoutMs: PROBE_MS_MAX })).state : undefined,
    inForce: leaveWords(state),
    gaps: seen ? coverageOf(seen).gapCount : 0,
  });
}

/** Switched on in the settings, or loaded for this session alone: hooks were seen in it, and never any in a file. */
function isByPlugin(paths: readonly string[], seen: Session | undefined): boolean {
  if (activePlugins(settingsFiles(paths)).length > 0) return true;
  return seen !== undefined && seen.endedAt === undefined && Object.keys(seen.registration).length === 0;
}

function leaveWords(state: State): readonly string[] {
  const { pause, grants } = leaveView(state, Date.now());
  return [...(pause ? [`paused ${pause.left}`] : []), ...(grants.length > 0 ? [`${grants.length} allowed`] : [])];
}

/** Of the keys that disarm, those that switch every hook off. */
const SWITCHES = ["disableAllHooks", "allowManagedHooksOnly"];

function newestIn<S extends { readonly lastAt: number }>(sessions: Readonly<Record<string, S>>): S | undefined {
  return Object.values(sessions).reduce<S | undefined>((a, b) => (a && a.lastAt >= b.lastAt ? a : b), undefined);
}
