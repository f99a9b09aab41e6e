/** The union of everything that can be remembered: policies and commands return these, reducers apply them. */
import type { GrantChange } from "./grants.ts";
import type { CallChange, SessionChange } from "./session.ts";

export type Change = SessionChange | CallChange | GrantChange;
