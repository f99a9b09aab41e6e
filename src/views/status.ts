/** Overview: whether the hooks are active, which agents are working, and what was denied. */
import type { Arming } from "../kernel/facts.ts";
import type { Policy } from "../kernel/policy.ts";
import { type StanceInForce, stanceInForce } from "../kernel/stance.ts";
import { own } from "../lib/keyed.ts";
import type { Decision } from "../state/decision.ts";
import type { Coverage, GapKind } from "../state/session/coverage.ts";
import { modesInForce } from "../state/session/modes.ts";
import type { Session } from "../state/session/session.ts";
import { coverageOf } from "../state/session/session.ts";
import { noTools, type ToolCounts } from "../state/session/tool-counts.ts";
import { type CheckedSettings, problemWords } from "../state/settings/settings.ts";
import type { Voided } from "../state/signed.ts";
import type { State } from "../state/state.ts";
import { gapWords } from "./audit.ts";
import { type LeaveView, leaveView } from "./leave.ts";
import { type ModeProgress, modeProgress } from "./modes.ts";
import { gapsInFiles } from "./profile-gaps.ts";
import type { KeyState } from "./signature.ts";
import { relativeAge } from "./time.ts";
import { type TrustRow, trustRows } from "./trust-domain.ts";

export interface StatusInput {
  readonly version: string;
  readonly project: string;
  readonly stateDirectory: string;
  readonly state: State;
  readonly settings: CheckedSettings;
  readonly files: readonly { readonly path: string; readonly arming: Arming }[];
  readonly policies: readonly Policy[];
  /** Snapshots for `sekisho undo`. */
  readonly snapshots: readonly { readonly bytes: number }[];
  /** Where the person's key stands. */
  readonly passphrase: KeyState;
  readonly now: number;
}

export interface StatusView extends LeaveView {
  readonly version: string;
  readonly project: string;
  readonly stateDirectory: string;
  readonly enabled: boolean;
  readonly registered: readonly {
    readonly path: string;
    readonly hooks: readonly string[];
    readonly problem?: string;
  }[];
  readonly verdicts: Readonly<Record<Decision, number>>;
  readonly objections: readonly { readonly policy: string; readonly count: number }[];
  readonly faults: number;
  readonly passphrase: KeyState;
  /** Records that claim a person's authority and do not count. */
  readonly voided: readonly Voided[];
  readonly settings: {
    readonly custom: readonly string[];
    readonly problems: readonly string[];
    readonly gaps: readonly string[];
  };
  readonly off: readonly string[];
  readonly snapshots: { readonly count: number; readonly bytes: number };
  readonly sessions: readonly SessionView[];
  /** Modes that no session has claimed yet. */
  readonly waitingModes: readonly ModeProgress[];
  readonly stance: StanceInForce;
  readonly trust: {
    /** Total since the ledger began. */
    readonly operations: number;
    readonly domains: readonly TrustRow[];
  };
}

export interface SessionView {
  readonly id: string;
  readonly age: string;
  readonly lastSeen: string;
  readonly ended: boolean;
  readonly bound: boolean;
  readonly verdicts: Session["verdicts"];
  readonly outcomes: Session["outcomes"];
  readonly pending: number;
  readonly tools: Omit<ToolCounts, "last"> & { readonly last: string | null };
  readonly injectedChars: number;
  /** An estimate: four characters per token, as in English; Japanese needs more. */
  readonly injectedTokens: number;
  /** Active modes, by priority. */
  readonly modes: readonly ModeProgress[];
  /** Most recently seen first. */
  readonly actors: readonly {
    readonly id: string;
    readonly type: string;
    readonly event: string;
    readonly lastSeen: string;
    readonly ageSeconds: number;
  }[];
  /** Our records compared with the host's transcript. */
  readonly transcript: {
    readonly met: number;
    readonly waiting: number;
    readonly gapCount: number;
    readonly gaps: readonly { readonly kind: GapKind; readonly words: string; readonly lastSeen: string }[];
  };
}

const SESSIONS_SHOWN = 5;
const CHARS_PER_TOKEN = 4;

export function statusView(input: StatusInput): StatusView {
  const { state, settings, now } = input;
  return {
    version: input.version,
    project: input.project,
    stateDirectory: input.stateDirectory,
    enabled: settings.settings.enabled,
    registered: input.files.filter(({ arming }) => isWorthShowing(arming)).map(registrationView),
    ...leaveView(state, now),
    verdicts: state.verdicts,
    objections: Object.entries(state.objections)
      .map(([policy, count]) => ({ policy, count }))
      .sort((a, b) => b.count - a.count || (a.policy < b.policy ? -1 : 1)),
    faults: state.faults,
    passphrase: input.passphrase,
    voided: state.voided ?? [],
    settings: {
      custom: settings.custom,
      problems: settings.problems.map(problemWords),
      gaps: gapsInFiles(settings),
    },
    off: input.policies
      .filter(({ id, floor }) => !floor && own(settings.settings.policies, id) === "off")
      .map(({ id }) => id),
    snapshots: {
      count: input.snapshots.length,
      bytes: input.snapshots.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    sessions: Object.entries(state.sessions)
      .sort(([, a], [, b]) => b.lastAt - a.lastAt)
      .slice(0, SESSIONS_SHOWN)
      .map(([id, session]) => sessionView(id, session, now)),
    waitingModes: modesInForce(state.modes, now).map(modeProgress),
    stance: stanceInForce(state.stance, settings.settings),
    trust: {
      operations: state.trust.operations,
      domains: trustRows(state, settings.settings, now),
    },
  };
}

function isWorthShowing({ hooks, disarms, readable }: Arming): boolean {
  return hooks.length > 0 || disarms.length > 0 || !readable;
}

function registrationView({ path, arming }: StatusInput["files"][number]): StatusView["registered"][number] {
  const problem = !arming.readable
    ? "the client cannot read this file and drops it"
    : arming.disarms.length > 0
      ? `switches hooks off or moves their ground: ${arming.disarms.join(", ")}`
      : undefined;
  // The key is a mark beside the hooks, and has a line of its own.
  const hooks = arming.hooks.filter((name) => !name.startsWith("key "));
  return { path, hooks, ...(problem !== undefined && { problem }) };
}

function sessionView(id: string, session: Session, now: number): SessionView {
  return {
    id,
    age: relativeAge(now - session.startedAt),
    lastSeen: relativeAge(now - session.lastAt),
    ended: session.endedAt !== undefined,
    bound: session.client !== undefined,
    verdicts: session.verdicts,
    outcomes: session.outcomes,
    pending: Object.keys(session.calls).length,
    tools: { last: null, ...(session.tools ?? noTools) },
    injectedChars: session.injectedChars,
    injectedTokens: Math.ceil(session.injectedChars / CHARS_PER_TOKEN),
    modes: modesInForce(session.modes, now).map(modeProgress),
    actors: Object.entries(session.actors)
      .sort(([, a], [, b]) => b.at - a.at)
      .map(([actor, { type, event, at }]) => ({
        id: actor,
        type,
        event,
        lastSeen: relativeAge(now - at),
        ageSeconds: Math.max(0, Math.floor((now - at) / 1000)),
      })),
    transcript: transcriptView(coverageOf(session), now),
  };
}

function transcriptView({ met, gates, gaps, gapCount }: Coverage, now: number): SessionView["transcript"] {
  return {
    met,
    waiting: gates.length,
    gapCount,
    gaps: gaps.map((gap) => ({ kind: gap.kind, words: gapWords(gap), lastSeen: relativeAge(now - gap.at) })),
  };
}
