/** Information a session was given about an earlier one: itself before compaction, or an orphaned session. */

export interface Told {
  /** Time of the handover that the session was told, so that it is told once. Survives a restart of the host. */
  readonly restored?: number;
  /** The modes and tasks as last told; a conversation that contains them is not told again. */
  readonly restoredAs?: string;
  /** The orphaned session that the person was told about when this one began. */
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

/** Compaction removed it from the conversation. */
export function forgetRestored<T extends Told>(session: T): T {
  if (session.restoredAs === undefined) return session;
  const { restoredAs: _, ...rest } = session;
  return rest as T;
}
