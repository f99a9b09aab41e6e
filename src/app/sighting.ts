/** Notes what the host reports over its own connection. Only the daemon does this. */
import type { RawCall } from "../hosts/host.ts";
import type { Steps } from "../kernel/effect.ts";
import { type HookEvent, isPrompt } from "../kernel/event.ts";
import { settingsInForce } from "../kernel/loosening.ts";
import { wordsMark } from "../kernel/marks.ts";
import { approvedIn } from "../language/approval.ts";
import { own } from "../lib/keyed.ts";
import { clip } from "../lib/text.ts";
import { verdictIn } from "../policies/proof/review.ts";
import type { Change } from "../state/change.ts";
import { bareName } from "../state/session/proof.ts";
import { type HostProcess, newSession, processName, type Session } from "../state/session/session.ts";
import type { Settings } from "../state/settings/settings.ts";
import { type State, sessionOf } from "../state/state.ts";
import { isFault } from "../store/store.ts";
import { atPrompt, bondsAfter, bondsIn, bondsKey, withinBonds } from "./bonds.ts";
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
} from "./sighting-keys.ts";

/** An event that a process handles, and that the host reports over its connection too. */
export function* sight(call: RawCall, hall: Hall): Steps<void> {
  const parsed = hall.host.parse(call);
  if ("problem" in parsed) return;
  const { event } = parsed;
  const places = hall.placesOf(event.cwd, event.session);
  const state = yield* readState(places.journal);
  if (isFault(state)) return;
  const bonds = bondsIn(hall.sightedOf?.(event.session)?.keys ?? new Set());
  const speaker = bonds && hall.parentOf({ ...newSession(0), client: bonds.client });
  const bound = speaker ? withinBonds(state, event.session, bonds, speaker).state : state;
  const session = sessionOf(bound, event.session);
  const settings = settingsInForce(hall.settingsOf(places).settings, event.name, session, hall.parentOf(session));
  hall.onJudged?.(event, [], isPrompt(event) ? atPrompt(bound, state, event.session, bonds) : bound, settings);
}

interface Sighting {
  readonly event: HookEvent;
  readonly changes: readonly Change[];
  readonly state: State;
  readonly settings: Settings;
  /** What was seen of the session before. */
  readonly keys: ReadonlySet<string>;
  readonly parentOf: (session: Session) => HostProcess;
  readonly now: number;
}

/** Empty unless the session's own host holds the other end of the connection. */
export function sightingsOf({ event, changes, state, settings, keys, parentOf, now }: Sighting): readonly string[] {
  const session = own(state.sessions, event.session);
  if (!session?.client || session.endedAt !== undefined) return [];
  const known = bondsIn(keys);
  const before = known && processName(known.client) === processName(session.client) ? known : undefined;
  const bonds = bondsAfter(event, changes, state, before, settings, now);
  const news = bonds && (!known || bondsKey(bonds) !== bondsKey(known)) ? [bondsKey(bonds)] : [];
  const seen = [...sightingsIn(event, changes), ...news];
  if (seen.length === 0) return [];
  const { pid, started } = parentOf(session);
  return pid === session.client.pid && started === session.client.started ? seen : [];
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
      return [saidKey(clip(id, 80), wordsMark(event.lastMessage)), ...(passed ? [reviewKey(bareName(type))] : [])];
    }
    default:
      return changes.flatMap((change) => [
        ...(change.awaits ? [causeKey(change.awaits) ?? ""] : []),
        ...evidenceKeys(change),
      ]);
  }
}
