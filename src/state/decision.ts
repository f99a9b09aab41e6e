/** The possible decisions, mildest first. */
export type Decision = "pass" | "ask" | "deny";
