/** Checks that the daemon runs, is ours, has this version, answers quickly, and is the one the hooks call. */

import type { Probe } from "../../daemon/probe.ts";
import type { Door } from "../../hosts/registration.ts";
import { type Check, type Finding, ok, type Premises, registered, skip } from "./check.ts";
import { leadTo, moveAway, restart, restore, start } from "./repair-gatehouse.ts";

/** An answer takes about 1 ms; a delay of this length is noticeable at every tool use. */
const SLOW_MS = 100;

export const gatehouse: Check = {
  id: "gatehouse",
  title: "Gatehouse",
  async look(premises) {
    const doors = registered(premises).flatMap(({ ours }) => ours.door ?? []);
    if (doors.length === 0) return skip("no hook of ours calls at one: the plain lane does without");
    const first = await premises.gatehouse.probe();
    // Probe twice: one slow answer on a busy machine is no reason to restart the daemon.
    const probe = (first.ms ?? 0) < SLOW_MS ? first : await premises.gatehouse.probe();
    const kept = premises.gatehouse.door();
    const astray = kept && doors.find(({ port, token }) => port !== kept.port || token !== kept.token);
    // The repair for a stranger rewrites the hooks anyway.
    if (kept && astray && probe.state !== "stranger") return calledElsewhere(kept, astray, premises);
    return FINDINGS[probe.state](probe, premises);
  },
};

const BLOCKED = "Whatever could change something is blocked; reading goes on.";

const FINDINGS: Readonly<Record<Probe["state"], (probe: Probe, premises: Premises) => Finding>> = {
  up: (probe, premises) => {
    const { version = premises.version, port, detail } = probe;
    const ms = Math.round(probe.ms ?? 0);
    if (ms >= SLOW_MS) {
      return {
        state: "warn",
        what: `slow: it took ${ms} ms to answer (${detail})`,
        why: "Every tool use waits for it, in all your projects.",
        fix: "Start it anew; if it stays slow, see what else the machine is doing, or choose the plain lane.",
        repair: () => restart(premises),
      };
    }
    return version === premises.version ? ok(`up on port ${port}, answers in ${ms} ms`) : newerRuns(version, premises);
  },
  none: (_, premises) => ({
    state: "fail",
    what: "the hooks call at a gatehouse, and there is no door to it: it was never set up for this user, or its file is gone",
    why: BLOCKED,
    fix: "Set it up anew at the port that the hooks know. If it cannot be had here: `sekisho init --lane plain`.",
    repair: () => restore(premises),
  }),
  down: ({ detail, port, isVacant }, premises) =>
    isVacant
      ? {
          state: "fail",
          what: `down: nobody listens on port ${port} (${detail})`,
          why: BLOCKED,
          fix: `Why it ended may stand in ${premises.gatehouse.log}. Start it: \`sekisho up\`; the next prompt does it too.`,
          repair: () => start(premises),
        }
      : {
          state: "fail",
          what: `silent: somebody holds port ${port} and does not answer (${detail})`,
          why: BLOCKED,
          fix: `What hangs may stand in ${premises.gatehouse.log}. End it and start it anew; if it was somebody else, move to another port.`,
          repair: () => restart(premises),
        },
  stranger: ({ port }, premises) => ({
    state: "fail",
    what: `a stranger answers on port ${port ?? "?"}: it does not know the key that proves a gatehouse of yours`,
    why: "It hears what the agent is about to do, and can answer for us.",
    fix: "Move to another port and give the hooks a new token. Then find out what that process is.",
    repair: () => moveAway(premises),
  }),
  "other-version": ({ version }, premises) => ({
    state: "warn",
    what:
      version === premises.version
        ? `another build of version ${version} is running than the one that you started`
        : `version ${version ?? "unknown"} is running, and this is ${premises.version}`,
    why: "Tool uses are decided by one version of the law, everything else by another.",
    fix: "Move it to this one; the port is not let go meanwhile.",
    repair: () => start(premises),
  }),
};

/** No repair: a session that uses the newer version would start it again at its next prompt. */
function newerRuns(version: string, { version: own }: Premises): Finding {
  return {
    state: "warn",
    what: `version ${version} is running, which is newer than this one (${own})`,
    why: "Tool uses are decided by the newer version of the law, everything else here by the older.",
    fix: `Move these hooks on as well: install ${version} and run \`sekisho upgrade --to this\`.`,
  };
}

function calledElsewhere(kept: Door, called: Door, premises: Premises): Finding {
  return {
    state: "fail",
    what:
      called.port === kept.port
        ? `the hooks call at port ${kept.port} with another token than the gatehouse's`
        : `the hooks call at port ${called.port}, and the gatehouse's is ${kept.port}`,
    why: `No hook gets an answer of ours there. ${BLOCKED}`,
    fix: "Write the gatehouse's port and token into the hooks.",
    repair: () => leadTo(kept, premises),
  };
}
