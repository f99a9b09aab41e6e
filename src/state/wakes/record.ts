/** How an agent is woken: by typing into its pane, by the host's own hook, by a program of the person's, or by the bell. */
export type WakeWay = "tmux" | "host" | "command" | "bell";

/** One step of waking an agent that has something to read. */
export interface WakeRecord {
  readonly kind: "wake";
  /**
   * `try`: written before anything is typed, run or rung. `left`: nothing was typed, because a person uses the pane. `woken`: an
   * event of the session came. `fail`: the agent can't be woken, and its supervisor was told.
   */
  readonly do: "try" | "left" | "woken" | "fail";
  readonly actor: string;
  readonly session: string;
  /** The newest number in its inbox at that time. */
  readonly upto: number;
  readonly by?: WakeWay;
  /** A mark of the token in the typed text. */
  readonly token?: string;
  readonly why?: string;
  /** The conversation was cleared instead, as a message asked. */
  readonly clear?: true;
}
