/** The domains that each stance allows. */
import type { Settings } from "../state/settings/settings.ts";
import { knownStance, type Stance } from "../state/stance.ts";

/** `gated`: allowed once enough trust is earned. */
export type DomainAccess = "denied" | "gated" | "open";

/** The current stance, and whether a person set it. */
export interface StanceInForce {
  readonly stance: Stance;
  readonly isImplicit: boolean;
}

/** Domain names, each surrounded by blanks, searched as plain strings: most events never need the table. */
interface Row {
  readonly denied: string;
  readonly gated: string;
  readonly open: string;
  /** For every other domain. */
  readonly rest: DomainAccess;
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

/** The standing of a domain in a stance. While building, the profile decides about `git_remote`. */
export function standingOf(
  stance: Stance,
  domain: string,
  { remote }: Pick<Settings["profile"], "remote">,
): DomainAccess {
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
