/**
 * What binds the agent in a session, as the daemon knows it from the host's own events: settings, stance, modes, work that
 * is owed, answers that were given. Records can be appended to the journal by any program. What they loosen beyond these
 * bonds does not count, unless a person's command or a prompt that the host reported allows it.
 */
import { type HookEvent, isPrompt } from "../kernel/event.ts";
import { pinOf } from "../kernel/loosening.ts";
import { own } from "../lib/keyed.ts";
import { wishIn } from "../policies/modes/mode-wishes.ts";
import { stanceIn } from "../policies/trust/track-stance.ts";
import type { Change } from "../state/change.ts";
import { reportsStops } from "../state/session/awaiting.ts";
import type { Mode, ModeName, Modes } from "../state/session/modes.ts";
import { MODES } from "../state/session/modes.ts";
import { type HostProcess, newSession, processName, reduceSession, type Session } from "../state/session/session.ts";
import type { Work, Works } from "../state/session/work.ts";
import { type PinnedValues, stricter } from "../state/settings/pinned.ts";
import type { Settings } from "../state/settings/settings.ts";
import { isTightening, type Stance } from "../state/stance.ts";
import type { State } from "../state/state.ts";
import { boundPlans, type PlanBonds, planBondsAfter } from "./plan-bonds.ts";
import { boundTrust, type TrustBonds, trustAfter } from "./trust-bonds.ts";

export interface Bonds {
  readonly client: HostProcess;
  readonly settings: PinnedValues;
  /** The widest stance that counts; absent where nobody has set one. */
  readonly stance?: Stance;
  readonly modes: Modes;
  /** A cancel was seen then: modes that began earlier may end. */
  readonly freeBefore?: number;
  /** Work trees with changes that no end of a turn has settled. */
  readonly work: Works;
  /** The host reports ends of turns to the daemon too, which judges them itself. */
  readonly stops?: true;
  readonly agreed: readonly string[];
  readonly headless?: true;
  readonly trust: TrustBonds;
  readonly approvals: PlanBonds;
  /** What people's commands had given by then. */
  readonly given: NonNullable<State["given"]>;
}

export interface Bound {
  readonly state: State;
  /** What a record in the journal loosened in vain. */
  readonly broken: readonly string[];
  /** Changes that write the bonds into the journal again. */
  readonly mending: readonly Change[];
  /** Modes whose end was recorded and does not count yet. */
  readonly again: readonly ModeName[];
}

const PREFIX = "bonds ";

export const bondsKey = (bonds: Bonds): string => PREFIX + JSON.stringify(bonds);
export const isBondsKey = (key: string): boolean => key.startsWith(PREFIX);

/** Only the daemon writes these keys, so what is read here was written here. */
export function bondsIn(keys: ReadonlySet<string>): Bonds | undefined {
  for (const key of keys) if (isBondsKey(key)) return JSON.parse(key.slice(PREFIX.length)) as Bonds;
  return undefined;
}

/** The state, no looser than the bonds. They bind the process that they were made with, and nobody else speaks here. */
export function withinBonds(state: State, id: string, bonds: Bonds, speaker: HostProcess): Bound {
  if (processName(speaker) !== processName(bonds.client)) return { state, broken: [], mending: [], again: [] };
  const known = own(state.sessions, id) ?? newSession(state.t);
  const settings = boundSettings(known, bonds, state.given);
  const session = boundSession(known, bonds, settings, state.given);
  const stance = boundStance(state, bonds);
  const trust = isGiven("trust", bonds, state.given) ? state.trust : boundTrust(state.trust, bonds.trust);
  const { stance: said, playbooks, ...others } = state;
  const isFree = !playbooks || isGiven("plans", bonds, state.given);
  const plans = isFree ? playbooks : boundPlans(playbooks, bonds.approvals);
  const isHeld = isSame(settings, pinOf(known, bonds.client));
  const changed: readonly (readonly [string, boolean])[] = [
    ["settings", !isHeld && pinOf(known, bonds.client) !== undefined],
    ["stance", stance !== said],
    ["approvals", !isSame(plans, playbooks)],
    ["answers", (session.agreed ?? []).length !== (known.agreed ?? []).length],
    ["headless", session.headless !== known.headless],
  ];
  return {
    state: {
      ...others,
      trust,
      ...(plans && { playbooks: plans }),
      ...(stance && { stance }),
      sessions: { ...state.sessions, [id]: session },
    },
    broken: changed.flatMap(([what, isBroken]) => (isBroken ? [what] : [])),
    mending: [
      ...(stance && stance !== said ? [{ record: "stance", do: "set", stance } as const] : []),
      ...(isHeld ? [] : [holding(bonds, settings)]),
    ],
    again: MODES.filter((name) => session.modes?.[name] && session.modes[name].since !== known.modes?.[name]?.since),
  };
}

const isSame = (one: unknown, two: unknown): boolean => JSON.stringify(one) === JSON.stringify(two);

/** A person's command came since the bonds were made. */
const isGiven = (what: keyof Bonds["given"], bonds: Bonds, given: State["given"]): boolean =>
  given?.[what] !== bonds.given[what];

function boundSettings(session: Session, bonds: Bonds, given: State["given"]): PinnedValues {
  const values = pinOf(session, bonds.client) ?? bonds.settings;
  return isGiven("settings", bonds, given) ? values : stricter(bonds.settings, values);
}

function boundStance({ stance, given }: State, bonds: Bonds): Stance | undefined {
  const isWider = stance !== bonds.stance && !isTightening(stance ?? "", bonds.stance);
  return isWider && !isGiven("stance", bonds, given) ? bonds.stance : stance;
}

function boundSession(session: Session, bonds: Bonds, settings: PinnedValues, given: State["given"]): Session {
  // The host speaks, so the session has not ended.
  const { modes: said = {}, agreed = [], headless, cancelledAt, endedAt: _, ...rest } = session;
  const isFreed = isGiven("modes", bonds, given);
  const modes = isFreed ? said : boundModes(said, bonds);
  const answers = agreed.filter((family) => bonds.agreed.includes(family));
  return {
    ...rest,
    client: bonds.client,
    pins: [...(rest.pins ?? []).filter(({ by }) => by !== processName(bonds.client)), pinFor(bonds, settings)],
    ...((rest.work || Object.keys(bonds.work).length > 0) && { work: boundWork(rest.work ?? {}, bonds.work) }),
    ...(Object.keys(modes).length > 0 && { modes }),
    ...(answers.length > 0 && { agreed: answers }),
    ...(headless && bonds.headless && { headless }),
    ...(cancelledAt !== undefined && (isFreed || bonds.freeBefore !== undefined) && { cancelledAt }),
  };
}

function pinFor({ client }: Bonds, values: PinnedValues) {
  return { by: processName(client), values };
}

function holding({ client }: Bonds, settings: PinnedValues): Change {
  return { record: "session", do: "pin", by: processName(client), settings };
}

/** An end that the end of a turn recorded counts from the next prompt on; until then the mode judges again. */
function boundModes(modes: Modes, bonds: Bonds): Modes {
  const kept = MODES.flatMap((name): [ModeName, Mode][] => {
    const bond = bonds.modes[name];
    const isFree = !bond || bond.since < (bonds.freeBefore ?? 0);
    const mode = isFree || modes[name]?.since === bond.since ? modes[name] : bond;
    return mode ? [[name, mode]] : [];
  });
  return Object.fromEntries(kept);
}

/** Work is owed from where the daemon knows it began. */
function boundWork(works: Works, bonds: Works): Works {
  const kept = Object.entries(bonds).map(([root, bond]): [string, Work] => {
    const known = own(works, root) ?? bond;
    const codeAt = Math.max(known.codeAt ?? 0, bond.codeAt ?? 0);
    const isWorked = known.worked || bond.worked;
    return [
      root,
      {
        ...known,
        base: bond.base,
        touchedAt: Math.max(known.touchedAt, bond.touchedAt),
        ...(codeAt > 0 && { codeAt }),
        ...(isWorked && { worked: true }),
        paths: known.paths.length > 0 ? known.paths : bond.paths,
      },
    ];
  });
  return { ...works, ...Object.fromEntries(kept) };
}

/** At a prompt, what the ends of turns recorded counts, where the daemon could not judge them itself. */
export function atPrompt(bound: State, recorded: State, id: string, bonds: Bonds | undefined): State {
  if (bonds?.stops) return bound;
  const [session, said] = [own(bound.sessions, id), own(recorded.sessions, id)];
  if (!session || !said) return bound;
  const { modes: _, work: __, ...rest } = session;
  const { modes, work } = said;
  return {
    ...bound,
    sessions: { ...bound.sessions, [id]: { ...rest, ...(modes && { modes }), ...(work && { work }) } },
  };
}

/** The bonds after an event that the host itself reported. `state` is already within the earlier ones. */
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
  const after = changes.reduce((known, change) => reduceSession(known, change, now), session);
  const owed = Object.entries(after.work ?? {}).filter(([, { touchedAt }]) => touchedAt > 0);
  const stance = stanceAfter(event, state, before, settings);
  const freeBefore = isPrompt(event) && wishIn(event, settings).cancel ? now : before?.freeBefore;
  return {
    client: session.client,
    settings: pinOf(after, session.client) ?? {},
    ...(stance && { stance }),
    modes: after.modes ?? {},
    ...(freeBefore !== undefined && { freeBefore }),
    work: Object.fromEntries(owed),
    ...((before?.stops || reportsStops(session.registration)) && { stops: true }),
    agreed: [...new Set([...(session.agreed ?? []), ...answeredBy(event, session)])],
    ...(session.headless && { headless: true }),
    trust: trustAfter(state, session, changes, settings, now),
    approvals: planBondsAfter(event, state.playbooks ?? {}, before?.approvals),
    given: state.given ?? {},
  };
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

/** The call ran after the question, so the person said yes. */
function answeredBy(event: HookEvent, { calls }: Session): readonly string[] {
  if (event.name !== "PostToolUse" && event.name !== "PostToolUseFailure") return [];
  const family = own(calls, event.call)?.agrees;
  return family === undefined ? [] : [family];
}
