/** Which lane a registration takes. */
import type { Lane } from "../../hosts/registration.ts";
import { setup } from "../host.ts";
import { Problem } from "../problem.ts";
import type { HostProgram } from "./host-program.ts";
import type { Scope } from "./scope.ts";

export const LANES: Readonly<Record<Lane, string>> = {
  fast: "a small resident program, the gatehouse, answers; a few ms each",
  plain: "a process for every event; works everywhere, some 50 ms each",
};

export interface Choice {
  readonly lane: Lane;
  /** The reason, if the lane is not the expected one. */
  readonly because?: string;
}

interface LaneChoice {
  readonly asked: Lane | undefined;
  readonly scope: Scope;
  readonly installed: HostProgram | undefined;
  /** `process.platform`. */
  readonly platform: string;
  /** The obstacle between the host and the daemon, if any. */
  readonly barred: string | undefined;
}

/**
 * Chooses the fast lane unless something prevents it. A lane the person asked for is used or refused, never replaced.
 */
export function chooseLane({ asked, scope, installed, platform, barred }: LaneChoice): Choice {
  if (asked === "plain") return { lane: "plain" };
  const against = objection(scope, installed, barred);
  if (asked === "fast" && against !== undefined) {
    throw new Problem(`--lane fast is not possible here: ${against}. Use --lane plain.`);
  }
  if (asked === "fast") return { lane: "fast" };
  if (against !== undefined) return { lane: "plain", because: against };
  // Outside Linux the fast lane would decide correctly, but its events could not count as evidence.
  if (platform !== "linux") return { lane: "plain", because: "who holds a connection can only be told on Linux" };
  return installed ? { lane: "fast" } : { lane: "plain", because: "no client was found to try the fast lane with" };
}

/** As far as can be told before the settings are read. */
export function isFastPossible(scope: Scope, installed: HostProgram | undefined): boolean {
  return objection(scope, installed, undefined) === undefined;
}

function objection(scope: Scope, installed: HostProgram | undefined, barred: string | undefined): string | undefined {
  if (scope === "project") return "its port and token belong to this machine, and the project's file is shared by git";
  if (installed && !installed.failsClosed) {
    return `client ${installed.version} lets an action pass when a hook fails; that can be closed since ${setup.failsClosedSince}`;
  }
  return barred;
}
