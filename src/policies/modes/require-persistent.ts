import { hasMarker } from "../../kernel/marker.ts";
import { isGuess, planOf, stallOf } from "../../kernel/mode-progress.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";
import { standingsOf } from "../../kernel/verification.ts";
import { modeInForce } from "../../state/modes.ts";
import { newSession } from "../../state/session.ts";
import { exampleMode } from "../example.ts";
import {
  doneRuling,
  heldRuling,
  isAsked,
  isSpent,
  isWaiting,
  NAMES,
  spentRuling,
  waitingRuling,
} from "./mode-ending.ts";
import { guessedPlanFix, planFix, planLost, planLostFix, planWords, promiseFix, promiseWords } from "./mode-words.ts";

/** Work that a person wants finished goes on: until the boxes of its plan are ticked, or it is promised to be done. */
export const requirePersistent = definePolicy({
  id: "require-persistent",
  on: ["Stop"],
  needs: ["session", "settings", "now", "plans", "hostTasks", "checkedTrees", "personChecks", "wokenSoon"],
  bound: 60,
  level: "persistent",
  why: text(
    "The person asked for the work to go on until it is complete, and they alone end that before it is.",
    "完了まで続けるよう依頼されている。途中で終わらせるのは利用者だけ。",
  ),
  applies: isAsked,

  check({ event, facts }) {
    const mode = modeInForce(facts.session.modes, "persistent", facts.now);
    if (!mode || mode.paused !== undefined) return pass;
    const plan = planOf(mode, facts.plans);
    const said = hasMarker(event.lastMessage, mode.promise ?? "DONE");
    if (isWaiting(event, facts.wokenSoon)) return waitingRuling("persistent", mode, said);
    const isWordEnough = plan === undefined || (plan !== "missing" && isGuess(plan, mode));
    const isTicked = typeof plan === "object" && plan.done === plan.total;
    if (isTicked || (isWordEnough && (said || mode.promised))) return doneRuling("persistent", mode, said);
    if (isSpent(mode)) return spentRuling("persistent", mode);
    const known = {
      session: facts.session,
      person: facts.personChecks,
      verify: facts.settings.verify,
      now: facts.now,
    };
    const error = stallOf(
      plan,
      facts.checkedTrees.flatMap((tree) => standingsOf(tree, known)),
    );
    if (plan === undefined) {
      const what = promiseWords(NAMES.persistent, mode, facts.hostTasks);
      return heldRuling("persistent", mode, { what, fix: promiseFix(mode.promise ?? "DONE"), error });
    }
    if (plan === "missing") return heldRuling("persistent", mode, { what: planLost(mode), fix: planLostFix(), error });
    const what = planWords(mode, plan);
    if (isWordEnough) return heldRuling("persistent", mode, { what, fix: guessedPlanFix(plan, mode), error });
    return heldRuling("persistent", mode, { what, fix: planFix(plan), plan: plan.path, error });
  },

  get examples(): readonly Example[] {
    const session = { ...newSession(0), client: { pid: 7, started: "1" }, modes: { persistent: exampleMode } };
    const stop = { name: "Stop", backgroundTasks: 0, lastMessage: "Half of it is there." } as const;
    const plan = {
      path: ".tmp/plans/login.md",
      modified: 5,
      told: false,
      own: true,
      done: 1,
      total: 2,
      open: ["form"],
    };
    return [
      { expect: "pass", when: stop },
      { expect: "deny", when: stop, given: { session } },
      { expect: "pass", when: { ...stop, lastMessage: "All done. <promise>DONE</promise>" }, given: { session } },
      { expect: "pass", when: { ...stop, backgroundTasks: 1 }, given: { session } },
      { expect: "deny", when: stop, given: { session, plans: [plan] } },
      { expect: "pass", when: stop, given: { session, plans: [{ ...plan, done: 2, open: [] }] } },
    ];
  },
});
