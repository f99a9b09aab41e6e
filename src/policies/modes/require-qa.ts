import { hasMarker } from "../../evidence/marker.ts";
import type { Told } from "../../evidence/told-results.ts";
import { askedOr } from "../../kernel/facts.ts";
import { signatureOf } from "../../kernel/mode-progress.ts";
import { definePolicy, type Example, pass, type Ruling } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { type Mode, modeInForce } from "../../state/session/modes.ts";
import { exampleMode } from "../example.ts";
import { changedTree } from "../proof/example-work.ts";
import { doneRuling, heldRuling, isAsked, isSpent, isWaiting, spentRuling, waitingRuling } from "./mode-ending.ts";
import { qaBlind, qaBlindFix, qaFix, qaWords } from "./mode-words.ts";
import { standingsNow } from "./standings.ts";

/** Keeps the agent working until the project's checks pass, by their exit codes and on the current files. */
export const requireQa = definePolicy({
  id: "require-qa",
  on: ["Stop"],
  needs: ["session", "settings", "now", "checkedTrees", "personChecks", "toldResults", "wokenSoon"],
  needsIf: { toldResults: ({ session }) => session.modes?.qa !== undefined },
  bound: 60,
  level: "qa",
  why: text(
    "The person asked for the checks to be run until they pass, and they alone end that before they do.",
    "検査が通るまで回すよう依頼されている。途中で終わらせるのは利用者だけ。",
  ),
  applies: isAsked,

  check({ event, facts }) {
    const mode = modeInForce(facts.session.modes, "qa", facts.now);
    if (!mode || mode.paused !== undefined) return pass;
    if (isWaiting(event, facts.wokenSoon))
      return waitingRuling("qa", mode, hasMarker(event.lastMessage, markerOf(mode)));
    const standings = standingsNow(facts);
    if (standings.length > 0) {
      if (standings.every(({ standing }) => standing === "passed")) return doneRuling("qa", mode, false);
      if (isSpent(mode)) return spentRuling("qa", mode);
      const error = signatureOf(standings);
      return heldRuling("qa", mode, { what: qaWords(mode, standings), fix: qaFix(standings), error });
    }
    return blindRuling(mode, event.lastMessage, askedOr(facts.toldResults, null) ?? UNTOLD);
  },

  get examples(): readonly Example[] {
    const session = boundSession({ modes: { qa: exampleMode } });
    const stop = { name: "Stop", backgroundTasks: 0, lastMessage: "" } as const;
    return [
      { expect: "pass", when: stop },
      { expect: "deny", when: stop, given: { session } },
      { expect: "deny", when: stop, given: { session, checkedTrees: [changedTree] } },
      { expect: "pass", when: { ...stop, lastMessage: "<promise>QA_COMPLETE</promise>" }, given: { session } },
    ];
  },
});

/** Without known checks, results printed by tools count, and then the agent's promise. */
function blindRuling(mode: Mode, lastMessage: string, { analyse, test }: Told): Ruling {
  const marker = markerOf(mode);
  const said = hasMarker(lastMessage, marker);
  const hasPassed = analyse === "passed" && test === "passed";
  const hasFailed = analyse === "failed" || test === "failed";
  if (hasPassed || (!hasFailed && (said || mode.promised))) return doneRuling("qa", mode, said);
  if (isSpent(mode)) return spentRuling("qa", mode);
  const error = hasFailed ? `analyze:${RESULT[analyse]},test:${RESULT[test]}` : undefined;
  return heldRuling("qa", mode, { what: qaBlind(mode), fix: qaBlindFix(marker), error });
}

function markerOf({ promise = "QA_COMPLETE" }: Mode): string {
  return promise;
}

const UNTOLD: Told = { analyse: "unknown", test: "unknown" };
const RESULT = { passed: "true", failed: "false", unknown: "null" } as const;
