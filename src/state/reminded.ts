/** The line about modes and tasks as the agent was last told it: only another one is news. */

export interface Reminded {
  readonly reminded?: string;
}

export interface RemindChange {
  readonly record: "session";
  readonly do: "remind";
  readonly line: string;
}

/** A line has four short parts; whatever is longer was not made by us. */
const LINE_CHARS_MAX = 120;

export function wasReminded<S extends Reminded>(session: S, { line }: RemindChange): S {
  return { ...session, reminded: line.slice(0, LINE_CHARS_MAX) };
}

/** It no longer stands in the conversation, or is about a mode that has begun anew. */
export function forgetReminder<S extends Reminded>(session: S): S {
  if (session.reminded === undefined) return session;
  const { reminded: _, ...rest } = session;
  return rest as S;
}
