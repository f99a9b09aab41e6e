/** Sessions whose modes lost their host process: a session that continues such a conversation takes the modes over. */

import { plainFile } from "../../disk/plain-file.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { TAKEN_UP } from "../../kernel/handover.ts";
import { own } from "../../lib/keyed.ts";
import { joined } from "../../state/session/mode-owners.ts";
import { type Modes, modesInForce } from "../../state/session/modes.ts";
import type { State } from "../../state/state.ts";
import { isAlive } from "../machine/caller.ts";

/** The ids of an earlier conversation are in the first lines. */
const BYTES_MAX = 256 * 1024;

/** Newest first. A new conversation continues nothing, and a session whose host still runs keeps its modes. */
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

/** Uses only the host's metadata of an entry, never its content: a message or tool call may name any session. */
function conversationsIn(transcript: string): ReadonlySet<string> {
  const ids = transcript.split("\n").flatMap((line): readonly unknown[] => {
    try {
      const entry = JSON.parse(line) as { sessionId?: unknown; forkedFrom?: { sessionId?: unknown } } | null;
      return [entry?.sessionId, entry?.forkedFrom?.sessionId];
    } catch (error) {
      // A line cut at the read limit, or one the host did not write.
      void error;
      return [];
    }
  });
  return new Set(ids.filter((id) => typeof id === "string"));
}

/** The session's own modes, merged with those it takes over. */
export function modesTakenUp(event: HookEvent, state: State): Modes {
  const given = own(state.sessions, event.session)?.modes ?? {};
  const others = orphansOf(event, state).map((id) => own(state.sessions, id)?.modes ?? {});
  return others.reduce((all, modes) => joined(all, modes, state.t), given);
}
