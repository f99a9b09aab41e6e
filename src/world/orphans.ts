/** Sessions whose modes have lost their client: one that goes on with such a conversation takes them over. */
import type { HookEvent } from "../kernel/event.ts";
import { TAKEN_UP } from "../kernel/handover.ts";
import { own } from "../state/keyed.ts";
import { joined } from "../state/mode-owners.ts";
import { type Modes, modesInForce } from "../state/modes.ts";
import type { State } from "../state/state.ts";
import { isAlive } from "./caller.ts";
import { plainFile } from "./plain-file.ts";

/** The ids of an earlier conversation stand in its first lines. */
const BYTES_MAX = 256 * 1024;

/** Newest first. A new conversation goes on with nothing, and one whose client still runs is nobody else's. */
export function orphansOf(event: HookEvent, { sessions, t }: State): readonly string[] {
  if (event.name !== "SessionStart" || !TAKEN_UP.includes(event.source)) return [];
  const left = Object.entries(sessions).filter(
    ([id, { modes, client, endedAt }]) =>
      id !== event.session &&
      modesInForce(modes, t).length > 0 &&
      (endedAt !== undefined || client === undefined || !isAlive(client)),
  );
  if (left.length === 0 || event.transcript === "") return [];
  const told = conversationsIn(plainFile(event.transcript, BYTES_MAX)?.bytes.toString("latin1") ?? "");
  return left
    .filter(([id]) => told.has(id))
    .sort(([, a], [, b]) => b.lastAt - a.lastAt)
    .map(([id]) => id);
}

/** By what the host writes about an entry, never by what somebody has said or used in it: that may name any session. */
function conversationsIn(transcript: string): ReadonlySet<string> {
  const ids = transcript.split("\n").flatMap((line): readonly unknown[] => {
    try {
      const entry = JSON.parse(line) as { sessionId?: unknown; forkedFrom?: { sessionId?: unknown } } | null;
      return [entry?.sessionId, entry?.forkedFrom?.sessionId];
    } catch (error) {
      // The last one that was read is cut, or it was written by somebody else.
      void error;
      return [];
    }
  });
  return new Set(ids.filter((id) => typeof id === "string"));
}

/** The session's own, with those that it takes over. */
export function modesTakenUp(event: HookEvent, state: State): Modes {
  const given = own(state.sessions, event.session)?.modes ?? {};
  const others = orphansOf(event, state).map((id) => own(state.sessions, id)?.modes ?? {});
  return others.reduce((all, modes) => joined(all, modes, state.t), given);
}
