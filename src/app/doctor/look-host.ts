/** Checks that the host is new enough to fail closed, and tries the hooks inside it. */

import { setup } from "../host.ts";
import { isAtLeast } from "../setup/host-program.ts";
import { type Check, type Finding, ok, registered, skip } from "./check.ts";
import { type Played, tryHost } from "./host-stage.ts";

const { failsClosedSince: FAILS_CLOSED_SINCE } = setup;
/** Nobody is there to answer a question, so the host holds back what we ask about as well as what we refuse. */
const OUR_WORD = /\bSekisho (?:refuses|asks)\b/;

export const hostVersion: Check = {
  id: "client-version",
  title: setup.title,
  async look({ hostProgram, run, env }) {
    if (hostProgram === undefined) return skip("no `claude` on the PATH (SEKISHO_CLIENT can name one)");
    const { stdout, problem } = await run(hostProgram, ["--version"], {
      env: { PATH: env["PATH"], HOME: env["HOME"] },
    });
    const version = /\d+\.\d+\.\d+/.exec(stdout)?.[0];
    if (version === undefined) {
      return {
        state: "warn",
        what: `${hostProgram} does not tell its version${problem === undefined ? "" : `: ${problem}`}`,
        why: `Only ${FAILS_CLOSED_SINCE} and newer block an action when a hook fails.`,
        fix: `Run \`${hostProgram} --version\` yourself and see what it says.`,
      };
    }
    if (!isAtLeast(version, FAILS_CLOSED_SINCE)) {
      return {
        state: "fail",
        what: `${version}, older than ${FAILS_CLOSED_SINCE}`,
        why: "It ignores `onFailure`: when our hook cannot start, is killed or does not answer, the tool runs unchecked.",
        fix: setup.howToUpdate,
      };
    }
    return ok(`${version}, ${hostProgram}`);
  },
};

export const hostLane: Check = {
  id: "client-lane",
  title: "Proof in the client",
  async look(premises) {
    const { hostProgram, wants } = premises;
    if (!wants.host) return skip("left out (--no-client, --quick)");
    if (hostProgram === undefined) return skip("no `claude` on the PATH (SEKISHO_CLIENT can name one)");
    if (registered(premises).length === 0) return skip("no hook of ours is registered");
    return judged(await tryHost(hostProgram, premises));
  },
};

export function judged({ forbidden, forbiddenRan, harmless, harmlessRan, ms, problem }: Played): Finding {
  if (forbiddenRan) {
    return {
      state: "fail",
      what: "the real client ran a forbidden command with these settings",
      why: "The gate is open in every session here: the client does not ask our hook, or does not hear its answer.",
      fix: "See the checks above. `disableAllHooks`, a file that the client drops, and managed settings do this.",
    };
  }
  if (forbidden === undefined) {
    return {
      state: "warn",
      what: `the client did not play the script (${problem ?? "no reason given"})`,
      why: "Nothing was proved, and nothing was disproved: the client itself did not start, or did not reach the scripted model.",
      fix: "Run `claude -p hello` and see what it says; `--no-client` leaves this out.",
    };
  }
  if (!OUR_WORD.test(forbidden)) {
    return {
      state: "fail",
      what: `the client held the forbidden command back, but not on our word: ${forbidden.trim().slice(0, 200)}`,
      why: "Our hook failed or was not asked. What is blocked for that reason blocks everything else too.",
      fix: "See the checks above; `sekisho doctor --fix` repairs what it can.",
    };
  }
  if (!harmlessRan) {
    return {
      state: "fail",
      what: `a harmless command did not run: ${(harmless ?? problem ?? "").trim().slice(0, 200)}`,
      why: "The agent is held back from work that nobody forbids.",
      fix: "See the checks above. The way out in any case: `sekisho uninstall`.",
    };
  }
  return ok(`refused a forbidden command and ran a harmless one, in ${(ms / 1000).toFixed(1)} s`);
}
