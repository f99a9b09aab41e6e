/** The sets of roles that we ship, as data. */
import type { Role } from "./role.ts";

export interface Preset {
  readonly roles: readonly Role[];
  /** Several agents under one name. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Inboxes with a name of their own, by the agent that reads them. */
  readonly boxes: Readonly<Record<string, string>>;
  /** The supervisor of an agent without a role. */
  readonly supervisor: string;
}

/** The name of the person among the agents. */
export const PERSON = "person";

const person: Role = { name: PERSON, aliases: ["human", "lord", "殿"], exempt: true };

export const PRESETS = {
  lead: {
    roles: [{ name: "lead", supervisor: PERSON }, { name: "worker#", most: 99, supervisor: "lead" }, person],
    groups: { workers: ["worker#"] },
    boxes: {},
    supervisor: "lead",
  },
  /** The layout of multi-agent-shogun. Nobody skips a level. */
  army: {
    roles: [
      { name: "shogun", aliases: ["将軍"], supervisor: PERSON, writes_to: ["karo-roju", PERSON], exempt: true },
      {
        name: "karo-roju",
        aliases: ["karo", "roju", "老中", "家老"],
        supervisor: "shogun",
        forbid: ["subagents", "polling", "publish"],
      },
      {
        name: "ashigaru#",
        aliases: ["worker#", "足軽#"],
        most: 8,
        supervisor: "karo-roju",
        writes_to: ["karo-roju", "ohariko", "gunshi", "ashigaru#"],
        forbid: ["polling", "publish"],
        claims: "deny",
      },
      {
        name: "ohariko",
        aliases: ["お針子"],
        supervisor: "karo-roju",
        writes_to: ["karo-roju", "gunshi"],
        exempt: true,
        audits: true,
        forbid: ["polling", "publish"],
      },
      { name: "gunshi", aliases: ["軍師"], supervisor: "karo-roju", forbid: ["polling", "publish"] },
      person,
    ],
    groups: {
      ashigaru: ["ashigaru#"],
      足軽: ["ashigaru#"],
      workers: ["ashigaru#"],
      heyago: ["ashigaru6", "ashigaru7"],
      部屋子: ["ashigaru6", "ashigaru7"],
    },
    boxes: { roju_reports: "karo-roju", roju_ohariko: "karo-roju" },
    supervisor: "karo-roju",
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof PRESETS;
