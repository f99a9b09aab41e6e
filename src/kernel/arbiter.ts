/** Decides at the end of a turn which refusal counts, and when none may. */

import { type Text, text } from "../lib/text.ts";
import type { Change } from "../state/change.ts";
import { MODES, type Modes } from "../state/session/modes.ts";
import { endedUses, idleStops, type Stops } from "../state/session/stops.ts";
import type { Settings } from "../state/settings/settings.ts";
import type { HookEvent } from "./event.ts";
import { type Gathered, isUnknown } from "./facts.ts";
import { type Policy, pass } from "./policy.ts";
import { STOP_LEVELS } from "./stop-levels.ts";
import type { Question, Release, TraceEntry } from "./verdict.ts";

/** A policy without a level counts as verification. */
export function levelOf(policies: readonly Policy[], id: string): number {
  const level = policies.find((policy) => policy.id === id)?.level ?? "verification";
  return STOP_LEVELS.indexOf(level);
}

/** True if the refusal comes from a mode a person started, not from missing evidence. */
export function isOfMode(policies: readonly Policy[], id: string): boolean {
  const level = policies.find((policy) => policy.id === id)?.level;
  return MODES.some((mode) => mode === level);
}

/** Turns a refusal into a pass and keeps the reason in the trace. */
export function released({ policy, ruling }: TraceEntry, why: Release): TraceEntry {
  const told = TOLD[why];
  const notices = [...(ruling.notices ?? []), ...(told ? [told] : [])];
  return { policy, ruling: { ...pass, ...(notices.length > 0 && { notices }) }, released: why };
}

/** For the main agent only; subagents have their own rule and bound. */
export function arbitrate(
  { event, facts }: Question,
  trace: readonly TraceEntry[],
  policies: readonly Policy[],
): readonly TraceEntry[] {
  if (event.name !== "Stop") return trace;
  const why = mayNotRefuse(event, facts);
  if (why === undefined) return trace;
  const refused = trace.filter(({ ruling }) => ruling.decision !== "pass");
  const goesOn = refused.some(({ policy }) => isOfMode(policies, policy)) && TOLD[why] !== undefined;
  return trace.map((entry) => {
    if (entry.ruling.decision === "pass") return entry;
    // The notice is shown once, however many policies refused.
    if (entry !== refused[0]) return { ...released(entry, why), ruling: pass };
    const free = released(entry, why);
    const { notices = [] } = free.ruling;
    return goesOn ? { ...free, ruling: { ...free.ruling, notices: [...notices, GOES_ON] } } : free;
  });
}

const GOES_ON = text(
  "The mode stays on: your next prompt goes on with it, and `cancel` ends it.",
  "モードは続いています。次の指示で再開し、「キャンセル」で終わります。",
);

/**
 * The reason why this Stop must not be refused: something will wake the agent, the person just cancelled, the host is
 * compacting, or it was refused often enough.
 */
export function mayNotRefuse(event: HookEvent<"Stop">, facts: Gathered): Release | undefined {
  const { session, settings, now, witness } = facts;
  if (event.backgroundTasks > 0) return "background";
  if (session === undefined || isUnknown(session) || now === undefined || isUnknown(now)) return undefined;
  // A made-up question would let every turn end.
  const isSure = witness === undefined || isUnknown(witness) || !witness.isNeeded || !witness.isThere;
  if (Object.values(session.calls).some(({ asks, met, over }) => asks && (isSure || (met && !over)))) return "question";
  if (isWithin(CANCELLED_MS, session.cancelledAt, now)) return "cancelled";
  const { compacted } = session;
  if (isWithin(COMPACTED_MS, compacted?.at, now) && compacted?.ended === endedUses(session)) return "compacted";
  if (settings === undefined || isUnknown(settings)) return undefined;
  if ((session.stops?.refused ?? 0) >= settings.stop.ceiling) return "ceiling";
  return idleStops(session) >= settings.stop.idle ? "idle" : undefined;
}

/** True if the turn is not really over yet. When only the refusal budget is used up, the turn is over. */
export function isPutOff(event: HookEvent<"Stop">, facts: Gathered): boolean {
  const why = mayNotRefuse(event, facts);
  return why !== undefined && why !== "ceiling" && why !== "idle";
}

/** Uses the absolute difference, so that a clock set back does not extend the grace period. */
function isWithin(ms: number, at: number | undefined, now: number): boolean {
  return at !== undefined && Math.abs(now - at) < ms;
}

/**
 * Checked after recording the refusal: meanwhile another process may have used up the shared or the mode's budget, or
 * the person may have ended the mode.
 */
export function mayStillRefuse(
  event: HookEvent,
  changes: readonly Change[],
  { stop }: Pick<Settings, "stop">,
  { stops, modes }: Pick<Stops, "stops"> & { readonly modes?: Modes },
): boolean {
  if ((stops?.refused ?? 0) > stop.ceiling) return false;
  if (event.name === "Stop" && (stops?.idle ?? 0) > stop.idle) return false;
  return changes.every((change) => {
    if (change.record !== "mode" || change.do !== "refuse") return true;
    const { count, max } = modes?.[change.mode] ?? { count: 1, max: 0 };
    return count <= max;
  });
}

/** Modes that count although the journal says that they ended. */
export function judgedAgain({ witness, session }: Gathered): Modes {
  if (!witness || isUnknown(witness) || !session || isUnknown(session)) return {};
  const again = Object.entries(session.modes ?? {}).filter(([name]) => witness.again?.includes(name));
  return Object.fromEntries(again.map(([name, mode]) => [name, { ...mode, count: mode.count + 1 }]));
}

const CANCELLED_MS = 30_000;
const COMPACTED_MS = 60_000;

const TOLD: Readonly<Partial<Record<Release, Text>>> = {
  bound: text("A refusal to stop was released: its bound is used up.", "停止の拒否は上限に達したため解除されました。"),
  ceiling: text(
    "The turn was let go although something is open: it was refused as often as one turn may be.",
    "未完了のものがありますが、一回の依頼で拒否できる上限に達したため、終了を許しました。",
  ),
  idle: text(
    "The turn was let go although something is open: the agent was told to continue several times and used no tool.",
    "未完了のものがありますが、続けるよう促してもツールが使われなかったため、終了を許しました。",
  ),
};
