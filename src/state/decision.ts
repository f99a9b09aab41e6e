/** What can be said of an action, mildest first. */
export type Decision = "pass" | "ask" | "deny";
