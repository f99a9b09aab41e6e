/**
 * What binds the agent in a session, as the daemon knows it from the host's own events: settings, stance, modes, work that
 * is owed, answers that were given. Records can be appended to the journal by any program. What they loosen beyond these
 * bonds does not count, unless a person's command or a prompt that the host reported allows it.
 */
import { pinOf } from "../kernel/loosening.ts";
import { own } from "../lib/keyed.ts";
import { isSame } from "../lib/same.ts";
import type { Change } from "../state/change.ts";
import { MODES, type Mode, type ModeName, type Modes } from "../state/session/modes.ts";
import { type HostProcess, isSameProcess, newSession, processName, type Session } from "../state/session/session.ts";
import type { Work, Works } from "../state/session/work.ts";
import { type PinnedValues, stricter } from "../state/settings/pinned.ts";
import { isTightening, type Stance } from "../state/stance.ts";
import type { State } from "../state/state.ts";
import type { Trust, TrustLedger } from "../state/trust.ts";
import { boundPlans, type PlanBonds } from "./plan-bonds.ts";

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
  readonly agreed: readonly string[];
  /** The host reports ends of turns to the daemon too, which judges them itself. */
  readonly stops?: true;
  readonly headless?: true;
  /** By domain: the score that the host's own reports have earned. */
  readonly trust: Readonly<Record<string, number>>;
  readonly approvals: PlanBonds;
  /** What people's commands had given by then. */
  readonly given: NonNullable<State["given"]>;
}

export interface Bound {
  readonly state: State;
  /** What a record in the journal loosened in vain. */
  readonly broken: readonly string[];
  /** Changes that write the bonds into the journal again. */
  readonly repairs: readonly Change[];
  /** Modes whose end was recorded and does not count yet. */
  readonly again: readonly ModeName[];
}

const PREFIX = "bonds ";

export const bondsKey = (bonds: Bonds): string => PREFIX + JSON.stringify(bonds);
export const isBondsKey = (key: string): boolean => key.startsWith(PREFIX);

/** Only the daemon writes these keys, so what is read here was written here. */
export function bondsIn(key: string): Bonds {
  return JSON.parse(key.slice(PREFIX.length)) as Bonds;
}

/**
 * The state, no looser than the bonds. They bind the process that they were made with, and nobody else speaks here. This
 * runs before every event, so what is within the bonds already is returned as it is.
 */
export function withinBonds(
  state: State,
  id: string,
  bonds: Bonds,
  speaker: HostProcess,
  keys: ReadonlySet<string> = new Set(),
): Bound {
  if (!isSameProcess(speaker, bonds.client)) return { state, ...NOTHING_BROKEN };
  const known = own(state.sessions, id) ?? newSession(state.t);
  const pin = pinOf(known, bonds.client);
  const settings = boundSettings(pin, bonds, state.given);
  const session = boundSession(known, pin, bonds, settings, state.given);
  const stance = boundStance(state, bonds);
  const trust = isGiven("trust", bonds, state.given) ? state.trust : boundTrust(state.trust, bonds.trust);
  const { stance: said, playbooks } = state;
  const isFree = !playbooks || isGiven("plans", bonds, state.given);
  const plans = isFree ? playbooks : boundPlans(playbooks, bonds.approvals, keys);
  const bound = [session, stance, trust, plans];
  if (isSameList(bound, [own(state.sessions, id), said, state.trust, playbooks])) return { state, ...NOTHING_BROKEN };
  const changed: readonly (readonly [string, boolean])[] = [
    ["settings", settings !== pin && pin !== undefined],
    ["stance", stance !== said],
    ["approvals", plans !== playbooks],
    ["answers", (session.agreed ?? []).length !== (known.agreed ?? []).length],
    ["headless", session.headless !== known.headless],
  ];
  const { stance: _, playbooks: __, ...others } = state;
  return {
    state: {
      ...others,
      trust,
      ...(plans && { playbooks: plans }),
      ...(stance && { stance }),
      sessions: { ...state.sessions, [id]: session },
    },
    broken: changed.flatMap(([what, isBroken]) => (isBroken ? [what] : [])),
    repairs: [
      ...(stance && stance !== said ? [{ record: "stance", do: "set", stance } as const] : []),
      ...(settings === pin ? [] : [holding(bonds, settings)]),
    ],
    again: MODES.filter((name) => session.modes?.[name] && session.modes[name].since !== known.modes?.[name]?.since),
  };
}

function isSameList(one: readonly unknown[], two: readonly unknown[]): boolean {
  return one.every((value, n) => value === two[n]);
}

export const NOTHING_BROKEN: Omit<Bound, "state"> = { broken: [], repairs: [], again: [] };

/** A person's command came since the bonds were made. */
export const isGiven = (what: keyof Bonds["given"], bonds: Bonds, given: State["given"]): boolean =>
  given?.[what] !== bonds.given[what];

/** The pin itself, if it is as strict. */
function boundSettings(pin: PinnedValues | undefined, bonds: Bonds, given: State["given"]): PinnedValues {
  if (!pin) return bonds.settings;
  if (isGiven("settings", bonds, given) || isSame(pin, bonds.settings)) return pin;
  const values = stricter(bonds.settings, pin);
  return isSame(values, pin) ? pin : values;
}

function boundStance({ stance, given }: State, bonds: Bonds): Stance | undefined {
  const isWider = stance !== bonds.stance && !isTightening(stance ?? "", bonds.stance);
  return isWider && !isGiven("stance", bonds, given) ? bonds.stance : stance;
}

/** What other sessions earned meanwhile counts when this one is taken up again. */
function boundTrust(ledger: TrustLedger, bonds: Bonds["trust"]): TrustLedger {
  const within = ([domain, { score }]: [string, Trust]): boolean => score <= (own(bonds, domain) ?? -1);
  const all = Object.entries(ledger.domains);
  if (all.every(within)) return ledger;
  const known = all.flatMap(([domain, trust]): [string, Trust][] => {
    const most = own(bonds, domain);
    return most === undefined ? [] : [[domain, { ...trust, score: Math.min(trust.score, most) }]];
  });
  return { ...ledger, domains: Object.fromEntries(known) };
}

function boundSession(
  session: Session,
  pin: PinnedValues | undefined,
  bonds: Bonds,
  settings: PinnedValues,
  given: State["given"],
): Session {
  // The host speaks, so the session has not ended.
  // The daemon remembers itself which plans it has read.
  const { modes: said = NO_MODES, agreed = [], headless, cancelledAt, endedAt, planSeen } = session;
  const isFreed = isGiven("modes", bonds, given);
  const modes = isFreed ? said : boundModes(said, bonds);
  const work = boundWork(session.work ?? NO_WORK, bonds.work);
  const answers = agreed.filter((answer) => bonds.agreed.includes(answer));
  const isAlone = headless && bonds.headless;
  const isCancelled = cancelledAt !== undefined && (isFreed || bonds.freeBefore !== undefined);
  const isWithin =
    endedAt === undefined &&
    planSeen === undefined &&
    isSameProcess(session.client, bonds.client) &&
    settings === pin &&
    modes === said &&
    (work === session.work || work === NO_WORK) &&
    answers.length === agreed.length &&
    isAlone === headless &&
    isCancelled === (cancelledAt !== undefined);
  if (isWithin) return session;
  const { modes: _, agreed: __, headless: ___, cancelledAt: ____, endedAt: _5, planSeen: _6, ...rest } = session;
  return {
    ...rest,
    client: bonds.client,
    pins: [...(rest.pins ?? []).filter(({ by }) => by !== processName(bonds.client)), pinFor(bonds, settings)],
    ...((rest.work || work !== NO_WORK) && { work }),
    ...(Object.keys(modes).length > 0 && { modes }),
    ...(answers.length > 0 && { agreed: answers }),
    ...(isAlone && { headless }),
    ...(isCancelled && { cancelledAt }),
  };
}

const NO_WORK: Works = {};
const NO_MODES: Modes = {};

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
  const isWithin = kept.every(([name, mode]) => modes[name] === mode);
  return isWithin ? modes : Object.fromEntries(kept);
}

/** Work is owed from where the daemon knows it began. */
function boundWork(works: Works, bonds: Works): Works {
  const less = Object.entries(bonds).flatMap(([root, bond]): [string, Work][] => {
    const known = own(works, root);
    const bound = boundBy(known ?? bond, bond);
    return bound === known ? [] : [[root, bound]];
  });
  return less.length === 0 ? works : { ...works, ...Object.fromEntries(less) };
}

function boundBy(known: Work, bond: Work): Work {
  const codeAt = Math.max(known.codeAt ?? 0, bond.codeAt ?? 0);
  const bound: Work = {
    ...known,
    base: bond.base,
    touchedAt: Math.max(known.touchedAt, bond.touchedAt),
    ...(codeAt > 0 && { codeAt }),
    ...((known.worked || bond.worked) && { worked: true }),
    paths: known.paths.length > 0 ? known.paths : bond.paths,
  };
  return isSame(bound, known) ? known : bound;
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
