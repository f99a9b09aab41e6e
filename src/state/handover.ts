/** What a session was told of the one before: of itself before it was made shorter, or of one that was left behind. */

export interface Told {
  /** When the handover was made that the session has been told, so that nobody is told it twice. Outlasts the client. */
  readonly restored?: number;
  /** How the modes and tasks stood that it was told of: a conversation that has it need not be told it again. */
  readonly restoredAs?: string;
  /** The session left behind of which the person was told when this one began. */
  readonly toldOf?: string;
}

export type HandoverChange =
  | { readonly record: "session"; readonly do: "restore"; readonly at?: number; readonly as?: string }
  | { readonly record: "session"; readonly do: "tell-orphan"; readonly orphan: string };

export function reduceHandover(change: HandoverChange): Told {
  if (change.do !== "restore") return { toldOf: change.orphan };
  const { at, as } = change;
  return {
    ...(at !== undefined && { restored: at }),
    ...(as !== undefined && { restoredAs: as.slice(0, AS_CHARS_MAX) }),
  };
}

const AS_CHARS_MAX = 120;

/** The conversation was made shorter, and has lost it. */
export function forgetRestored<T extends Told>(session: T): T {
  if (session.restoredAs === undefined) return session;
  const { restoredAs: _, ...rest } = session;
  return rest as T;
}
