/** Notes what the host reports over its own connection. Only the daemon does this. */
import { judgeIn } from "../evidence/reviewer.ts";
import type { RawCall } from "../hosts/host.ts";
import type { Steps } from "../kernel/effect.ts";
import { type HookEvent, isPrompt } from "../kernel/event.ts";
import { settingsInForce } from "../kernel/loosening.ts";
import { wordsMark } from "../kernel/marks.ts";
import { approvedIn } from "../language/approval.ts";
import { own } from "../lib/keyed.ts";
import { clip } from "../lib/text.ts";
import { saidIn } from "../playbook/verdict-form.ts";
import { verdictIn } from "../policies/proof/review.ts";
import type { Change } from "../state/change.ts";
import { bareName } from "../state/session/proof.ts";
import { type HostProcess, isSameProcess, newSession, type Session } from "../state/session/session.ts";
import type { Settings } from "../state/settings/settings.ts";
import { type State, sessionOf } from "../state/state.ts";
import { isFault } from "../store/store.ts";
import { atPrompt, type Bonds, withinBonds } from "./bonds.ts";
import { bondsAfter, mayWait } from "./bonds-after.ts";
import type { Hall } from "./hall.ts";
import { readState } from "./perform.ts";
import {
  approvalKey,
  causeKey,
  endedKey,
  evidenceKeys,
  promptKey,
  reviewKey,
  saidKey,
  skillSeenKey,
  verdictKey,
} from "./sighting-keys.ts";

/** An event that a process handles, and that the host reports over its connection too. */
export function* sight(call: RawCall, hall: Hall): Steps<void> {
  const parsed = hall.host.parse(call);
  if ("problem" in parsed) return;
  const { event } = parsed;
  const places = hall.placesOf(event.cwd, event.session);
  const state = yield* readState(places.journal);
  if (isFault(state)) return;
  const bonds = hall.sightedOf?.(event.session)?.bonds;
  const speaker = bonds && hall.parentOf({ ...newSession(0), client: bonds.client });
  const seen = hall.sightedOf?.(event.session)?.keys;
  const bound = speaker ? withinBonds(state, event.session, bonds, speaker, seen).state : state;
  const session = sessionOf(bound, event.session);
  const settings = settingsInForce(hall.settingsOf(places).settings, event.name, session, hall.parentOf(session));
  hall.onJudged?.(event, [], isPrompt(event) ? atPrompt(bound, state, event.session, bonds) : bound, settings);
}

interface Reported {
  readonly event: HookEvent;
  readonly changes: readonly Change[];
  readonly state: State;
  readonly settings: Settings;
  /** The bonds of the session before. */
  readonly known: Bonds | undefined;
  readonly parentOf: (session: Session) => HostProcess;
  readonly now: number;
}

/** What was seen: keys, and the bonds if they changed. */
export interface Noted {
  /** The host's process. */
  readonly host: number;
  readonly keys: readonly string[];
  readonly bonds?: Bonds;
  /** It must be remembered before the event is answered. */
  readonly isUrgent: boolean;
}

/** Undefined unless something is new and the session's own host holds the other end of the connection. */
export function sightingsOf(reported: Reported): Noted | undefined {
  const { event, changes, state, settings, known, parentOf, now } = reported;
  const session = own(state.sessions, event.session);
  if (!session?.client || session.endedAt !== undefined) return undefined;
  const before = known && isSameProcess(known.client, session.client) ? known : undefined;
  const bonds = bondsAfter(event, changes, state, before, settings, now);
  const keys = sightingsIn(event, changes);
  const isNew = bonds !== undefined && bonds !== known;
  if (!isNew && keys.length === 0) return undefined;
  const { pid, started } = parentOf(session);
  if (pid !== session.client.pid || started !== session.client.started) return undefined;
  const isUrgent = isNew && !(before && mayWait(before, bonds));
  return { host: pid, keys, isUrgent, ...(isNew && { bonds }) };
}

function sightingsIn(event: HookEvent, changes: readonly Change[]): readonly string[] {
  switch (event.name) {
    case "UserPromptSubmit": {
      const { prompt, notification } = event;
      const told = notification ? [endedKey(notification.call)] : approvedIn(prompt).map(approvalKey);
      return [promptKey(wordsMark(prompt)), ...told];
    }
    case "UserPromptExpansion":
      return [promptKey(wordsMark(`/${event.command} ${event.args}`)), skillSeenKey(bareName(event.command))];
    case "SubagentStop": {
      const { id = "", type = "" } = event.agent ?? {};
      const passed = verdictIn(event.lastMessage) === true;
      const [of, said] = [judgeIn(type), saidIn(event.lastMessage)];
      return [
        saidKey(clip(id, 80), wordsMark(event.lastMessage)),
        ...(passed ? [reviewKey(bareName(type))] : []),
        ...(of && said ? [verdictKey(of, clip(id, 80), said)] : []),
      ];
    }
    default:
      return changes.flatMap((change) => [
        ...(change.awaits ? [causeKey(change.awaits) ?? ""] : []),
        ...evidenceKeys(change),
      ]);
  }
}
