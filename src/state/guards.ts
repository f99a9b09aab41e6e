/** The project's own guards that a person trusts: scripts in `.sekisho/guards/`, each by the digest of its file. */
import { own } from "../lib/keyed.ts";

export interface Guard {
  readonly at: number;
  readonly digest: string;
  /** Which tool uses it judges: those that may change something, or all. */
  readonly on: GuardScope;
}

export type GuardScope = "changes" | "all";

export type Guards = Readonly<Record<string, Guard>>;

export type GuardChange =
  | {
      readonly record: "guard";
      readonly do: "trust";
      readonly name: string;
      readonly digest: string;
      readonly on: string;
    }
  | { readonly record: "guard"; readonly do: "forget"; readonly name: string };

/** Each costs a process at every tool use that it judges. */
export const GUARDS_MAX = 8;

/** A plain file name; no path leads out of the directory of guards. */
export const isGuardName = (name: string): boolean => /^[\w][\w.-]{0,63}$/.test(name);

/** A change of a newer version changes nothing. */
export function reduceGuards(guards: Guards, change: GuardChange, now: number): Guards {
  if (typeof change.name !== "string" || !isGuardName(change.name)) return guards;
  if (change.do === "trust") {
    const guard: Guard = { at: now, digest: change.digest, on: change.on === "all" ? "all" : "changes" };
    // One more must not push another out: that would loosen.
    const isFull = Object.keys(guards).length >= GUARDS_MAX && own(guards, change.name) === undefined;
    return isFull ? guards : { ...guards, [change.name]: guard };
  }
  return change.do === "forget"
    ? Object.fromEntries(Object.entries(guards).filter(([name]) => name !== change.name))
    : guards;
}
