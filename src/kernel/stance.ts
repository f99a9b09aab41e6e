/** What a stance leaves open, by domain. */
import type { Settings } from "../state/settings.ts";
import { knownStance, type Stance } from "../state/stance.ts";
import { type Names, names } from "./name-table.ts";

/** `gated`: open to those who have earned it. */
export type Standing = "denied" | "gated" | "open";

/** The stance in force, and whether a person ever set it. */
export interface StanceInForce {
  readonly stance: Stance;
  readonly isImplicit: boolean;
}

interface Row {
  readonly denied: Names;
  readonly gated: Names;
  /** Of everything else. */
  readonly rest: Standing;
  readonly open: Names;
}

const TABLE: Readonly<Record<Stance, Row>> = {
  planning: {
    denied: names("file_write file_write_src shell_exec git_remote"),
    gated: names(""),
    open: names("file_read git_read docs_write control"),
    rest: "open",
  },
  building: {
    denied: names("git_remote"),
    gated: names("shell_exec git_local"),
    open: names("file_read file_write git_read test_run control"),
    rest: "open",
  },
  auditing: {
    denied: names("file_write shell_exec git_local git_remote"),
    gated: names(""),
    open: names("file_read git_read control"),
    rest: "denied",
  },
};

/** What a stance says of a domain; the profile says what becomes of sending work elsewhere while it is built. */
export function standingOf(stance: Stance, domain: string, { remote }: Pick<Settings["profile"], "remote">): Standing {
  if (stance === "building" && domain === "git_remote" && remote === "publish") return "open";
  const row = TABLE[stance];
  if (row.denied.has(domain)) return "denied";
  if (row.gated.has(domain)) return "gated";
  return row.open.has(domain) ? "open" : row.rest;
}

export function stanceInForce(set: Stance | undefined, settings: Pick<Settings, "stance">): StanceInForce {
  return { stance: set ?? knownStance(settings.stance.default) ?? "auditing", isImplicit: set === undefined };
}
