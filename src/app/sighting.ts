/** Notes what the host reports over its own connection. Only the daemon does this. */
import type { RawCall } from "../hosts/host.ts";
import type { Steps } from "../kernel/effect.ts";
import type { HookEvent } from "../kernel/event.ts";
import { wordsMark } from "../kernel/marks.ts";
import { approvedIn } from "../language/approval.ts";
import { own } from "../lib/keyed.ts";
import { clip } from "../lib/text.ts";
import { verdictIn } from "../policies/proof/review.ts";
import type { Change } from "../state/change.ts";
import { bareName } from "../state/session/proof.ts";
import type { HostProcess, Session } from "../state/session/session.ts";
import { isFault } from "../store/store.ts";
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
  const state = yield* readState(hall.placesOf(event.cwd, event.session).journal);
  if (!isFault(state)) hall.onJudged?.(event, [], own(state.sessions, event.session));
}

/** Empty unless the session's own host holds the other end of the connection. */
export function sightingsOf(
  event: HookEvent,
  changes: readonly Change[],
  session: Session | undefined,
  parentOf: (session: Session) => HostProcess,
): readonly string[] {
  if (!session?.client || session.endedAt !== undefined) return [];
  const keys = sightingsIn(event, changes);
  if (keys.length === 0) return [];
  const { pid, started } = parentOf(session);
  return pid === session.client.pid && started === session.client.started ? keys : [];
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
