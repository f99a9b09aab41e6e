/** How an event that the host reported itself changes the bonds of its session. Only the daemon does this. */
import { type HookEvent, isPrompt } from "../kernel/event.ts";
import { pinOf } from "../kernel/loosening.ts";
import { own } from "../lib/keyed.ts";
import { isSame } from "../lib/same.ts";
import { wishIn } from "../policies/modes/mode-wishes.ts";
import { stanceIn } from "../policies/trust/track-stance.ts";
import { withAnswers } from "../state/agreements.ts";
import type { Change } from "../state/change.ts";
import { afterEnds } from "../state/earned.ts";
import { reportsStops } from "../state/session/awaiting.ts";
import { outcomesIn } from "../state/session/calls.ts";
import { reduceSession, type Session } from "../state/session/session.ts";
import type { Works } from "../state/session/work.ts";
import type { Settings } from "../state/settings/settings.ts";
import type { Stance } from "../state/stance.ts";
import type { State } from "../state/state.ts";
import type { TrustLedger } from "../state/trust.ts";
import { type Bonds, isGiven } from "./bonds.ts";
import { planBondsAfter } from "./plan-bonds.ts";

/** `state` is already within the earlier bonds. These themselves are returned if nothing changed. */
export function bondsAfter(
  event: HookEvent,
  changes: readonly Change[],
  state: State,
  before: Bonds | undefined,
  settings: Settings,
  now: number,
): Bonds | undefined {
  const session = own(state.sessions, event.session);
  if (!session?.client || session.endedAt !== undefined) return undefined;
  const basis = isQuiet(event, changes, session) ? basisOf(session, state) : undefined;
  if (before && basis && isBasisOf(before, basis)) return before;
  const after = sessionAfter(session, changes, now);
  const stance = stanceAfter(event, state, before, settings);
  const freeBefore = isPrompt(event) && wishIn(event, settings).cancel ? now : before?.freeBefore;
  const bonds: Bonds = {
    client: session.client,
    settings: pinOf(after, session.client) ?? {},
    ...(stance && { stance }),
    modes: after.modes ?? {},
    ...(freeBefore !== undefined && { freeBefore }),
    work: owed(after.work ?? {}),
    ...stopsAfter(session, before),
    agreed: agreedAfter(event, session),
    ...(session.headless && { headless: true }),
    trust: trustAfter(state, session, changes, settings, now),
    approvals: planBondsAfter(event, changes, state.playbooks ?? {}, before?.approvals),
    given: state.given ?? {},
  };
  const result = before && isSame(bonds, before) ? before : bonds;
  if (basis) bases.set(result, basis);
  return result;
}

/** What bonds are made of at an event that changes none of it. Most events are such, so they are compared by identity. */
type Basis = readonly unknown[];
const bases = new WeakMap<Bonds, Basis>();

function basisOf({ client, pins, modes, work, registration, headless, agreed }: Session, state: State): Basis {
  const { stance, trust, playbooks, given } = state;
  return [client, pins, modes, work, registration, headless, agreed, stance, trust.domains, playbooks, given];
}

function isBasisOf(bonds: Bonds, basis: Basis): boolean {
  const known = bases.get(bonds);
  return known?.every((value, n) => value === basis[n]) === true;
}

function isQuiet(event: HookEvent, changes: readonly Change[], session: Session): boolean {
  if (event.name !== "PreToolUse" && event.name !== "PostToolBatch") return false;
  return !changes.some((change) => change.record === "playbook" || isMoving(change, session) || change.do === "close");
}

/**
 * The same bonds, but for trust that was earned and open work that was touched again: whoever knows only the earlier ones
 * holds the agent to as much.
 */
export function mayWait(before: Bonds, after: Bonds): boolean {
  const isHigher = ([domain, score]: [string, number]): boolean => score >= (own(before.trust, domain) ?? score + 1);
  if (!Object.entries(after.trust).every(isHigher)) return false;
  return isSame({ ...before, trust: after.trust, work: touchedLike(before.work, after.work) }, after);
}

/** The earlier work with the times and files of the later one. Work that was without code must not get code this way. */
function touchedLike(before: Works, after: Works): Works {
  const entries = Object.entries(before).map(([root, work]) => {
    const { touchedAt, paths, codeAt } = own(after, root) ?? work;
    const later = { ...work, touchedAt, paths, ...(work.codeAt !== undefined && codeAt !== undefined && { codeAt }) };
    return [root, work.touchedAt > 0 && touchedAt > 0 ? later : work];
  });
  return Object.fromEntries(entries);
}

/** Settings, modes and work as these changes leave them; the rest of the session is folded from the journal. */
function sessionAfter(session: Session, changes: readonly Change[], now: number): Session {
  const moving = changes.filter((change) => isMoving(change, session));
  if (moving.length === 0) return session;
  const few = moving.some(({ do: what }) => OF_ANY_CALL.has(what)) ? session : withFewCalls(session, moving);
  return moving.reduce((known, change) => reduceSession(known, change, now), few);
}

/** A session may have two hundred open calls, and each change of one would copy them all. */
function withFewCalls(session: Session, changes: readonly Change[]): Session {
  const calls = changes.flatMap((change) => {
    const call = "id" in change ? own(session.calls, change.id) : undefined;
    return call && "id" in change ? [[change.id, call] as const] : [];
  });
  return { ...session, calls: Object.fromEntries(calls) };
}

const MOVING: ReadonlySet<string> = new Set<Change["record"]>(["session", "work", "mode"]);

/** The end of a call moves the work that it did. */
function isMoving(change: Change, { calls }: Session): boolean {
  if (change.record !== "call") return MOVING.has(change.record);
  return change.do === "sweep" || (change.do !== "open" && own(calls, change.id)?.work !== undefined);
}

/** What these change may depend on calls that they do not name. */
const OF_ANY_CALL: ReadonlySet<string> = new Set<Change["do"]>(["sweep", "end", "witness"]);

function stopsAfter({ registration }: Session, before: Bonds | undefined): Pick<Bonds, "stops"> {
  return before?.stops || reportsStops(registration) ? { stops: true } : {};
}

function owed(works: Works): Works {
  return Object.fromEntries(Object.entries(works).filter(([, { touchedAt }]) => touchedAt > 0));
}

function trustAfter(
  { trust, t }: State,
  session: Session,
  changes: readonly Change[],
  settings: Settings,
  now: number,
): Bonds["trust"] {
  const ends = session.castaway ? [] : outcomesIn(session, changes);
  if (ends.length === 0) return scoresIn(trust.domains);
  const ledger = afterEnds({ ...trust, rates: settings.trust }, ends, Math.max(t, now));
  return scoresIn(ledger.domains);
}

function scoresIn(domains: TrustLedger["domains"]): Bonds["trust"] {
  return Object.fromEntries(Object.entries(domains).map(([domain, { score }]) => [domain, score]));
}

/** A wider stance than the daemon knows takes a person's command, or a slash command that the host reported. */
function stanceAfter(
  event: HookEvent,
  { stance, given }: State,
  before: Bonds | undefined,
  settings: Settings,
): Stance | undefined {
  const wanted = event.name === "UserPromptExpansion" ? stanceIn(event.command, settings) : undefined;
  return wanted ?? (before && !isGiven("stance", before, given) ? before.stance : stance);
}

/** A call that ran after a question was answered with yes. */
function agreedAfter(event: HookEvent, { agreed = [], calls }: Session): readonly string[] {
  if (event.name !== "PostToolUse" && event.name !== "PostToolUseFailure") return agreed;
  const answers = own(calls, event.call)?.agrees;
  return answers ? withAnswers(agreed, answers) : agreed;
}
