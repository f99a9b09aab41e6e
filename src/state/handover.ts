/** What a session was told of the one before: of itself before it was made shorter, or of one that was left behind. */

export interface Told {
  /** When the handover was made that the session has been told, so that nobody is told it twice. Outlasts the client. */
  readonly restored?: number;
  /** The session left behind of which the person was told when this one began. */
  readonly toldOf?: string;
}

export type HandoverChange =
  | { readonly record: "session"; readonly do: "restore"; readonly at: number }
  | { readonly record: "session"; readonly do: "tell-orphan"; readonly orphan: string };

export function reduceHandover(change: HandoverChange): Told {
  return change.do === "restore" ? { restored: change.at } : { toldOf: change.orphan };
}
