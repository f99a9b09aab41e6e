/** What a stance leaves open, by domain. */
import type { Settings } from "../state/settings.ts";
import { knownStance, type Stance } from "../state/stance.ts";

/** `gated`: open to those who have earned it. */
export type Standing = "denied" | "gated" | "open";

/** The stance in force, and whether a person ever set it. */
export interface StanceInForce {
  readonly stance: Stance;
  readonly isImplicit: boolean;
}

/** Names with a blank around each: read as they stand, because at most events nobody asks. */
interface Row {
  readonly denied: string;
  readonly gated: string;
  readonly open: string;
  /** Of everything else. */
  readonly rest: Standing;
}

const TABLE: Readonly<Record<Stance, Row>> = {
  planning: {
    denied: " file_write file_write_src shell_exec git_remote ",
    gated: "",
    open: " file_read git_read docs_write control ",
    rest: "open",
  },
  building: {
    denied: " git_remote ",
    gated: " shell_exec git_local ",
    open: " file_read file_write git_read test_run control ",
    rest: "open",
  },
  auditing: {
    denied: " file_write shell_exec git_local git_remote ",
    gated: "",
    open: " file_read git_read control ",
    rest: "denied",
  },
};

/** What a stance says of a domain; the profile says what becomes of sending work elsewhere while it is built. */
export function standingOf(stance: Stance, domain: string, { remote }: Pick<Settings["profile"], "remote">): Standing {
  if (stance === "building" && domain === "git_remote" && remote === "publish") return "open";
  const row = TABLE[stance];
  const name = ` ${domain} `;
  if (row.denied.includes(name)) return "denied";
  if (row.gated.includes(name)) return "gated";
  return row.open.includes(name) ? "open" : row.rest;
}

export function stanceInForce(set: Stance | undefined, settings: Pick<Settings, "stance">): StanceInForce {
  return { stance: set ?? knownStance(settings.stance.default) ?? "auditing", isImplicit: set === undefined };
}
