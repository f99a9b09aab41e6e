/** The last line about modes and tasks that the agent was told; only a different line is news. */

export interface Reminded {
  readonly reminded?: string;
}

export interface RemindChange {
  readonly record: "session";
  readonly do: "remind";
  readonly line: string;
}

/** A line has four short parts, so anything longer is invalid. */
const LINE_CHARS_MAX = 120;

export function wasReminded<S extends Reminded>(session: S, { line }: RemindChange): S {
  return { ...session, reminded: line.slice(0, LINE_CHARS_MAX) };
}

/** The line is no longer in the conversation, or its mode was restarted. */
export function forgetReminder<S extends Reminded>(session: S): S {
  if (session.reminded === undefined) return session;
  const { reminded: _, ...rest } = session;
  return rest as S;
}
