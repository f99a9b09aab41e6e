import { hasMarker } from "../../evidence/marker.ts";
import { askedOr, type HostTasks, NO_TASKS } from "../../kernel/facts.ts";
import { isGuess, planOf, stallOf } from "../../kernel/mode-progress.ts";
import { definePolicy, type Example, type Known, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { type Mode, modeInForce } from "../../state/session/modes.ts";
import { exampleMode } from "../example.ts";
import {
  doneRuling,
  type Held,
  heldRuling,
  isAsked,
  isSpent,
  isWaiting,
  NAMES,
  spentRuling,
  waitingRuling,
} from "./mode-ending.ts";
import { guessedPlanFix, planFix, planLost, planLostFix, planWords, promiseFix, promiseWords } from "./mode-words.ts";
import { standingsNow } from "./standings.ts";

/** Keeps the agent working until the boxes of the plan are ticked or the agent promises that the work is done. */
export const requirePersistent = definePolicy({
  id: "require-persistent",
  on: ["Stop"],
  needs: ["session", "settings", "now", "plans", "hostTasks", "checkedTrees", "personChecks", "wokenSoon"],
  needsIf: { plans: isPersistent, hostTasks: isPersistent },
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
    const plan = planOf(mode, askedOr(facts.plans, []));
    const said = hasMarker(event.lastMessage, mode.promise ?? "DONE");
    if (isWaiting(event, facts.wokenSoon)) return waitingRuling("persistent", mode, said);
    const isTicked = typeof plan === "object" && plan.done === plan.total;
    if (isTicked || (isWordEnough(plan, mode) && (said || mode.promised))) return doneRuling("persistent", mode, said);
    if (isSpent(mode)) return spentRuling("persistent", mode);
    const error = stallOf(plan, standingsNow(facts));
    return heldRuling("persistent", mode, { ...wordsFor(plan, mode, askedOr(facts.hostTasks, NO_TASKS)), error });
  },

  get examples(): readonly Example[] {
    const session = boundSession({ modes: { persistent: exampleMode } });
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

function isPersistent({ session }: Pick<Known, "session">): boolean {
  return session.modes?.persistent !== undefined;
}

type Found = ReturnType<typeof planOf>;

function isWordEnough(plan: Found, mode: Mode): boolean {
  return plan === undefined || (plan !== "missing" && isGuess(plan, mode));
}

/** The mode remembers the plan if it is certainly its own. */
function wordsFor(plan: Found, mode: Mode, tasks: HostTasks): Omit<Held, "error"> {
  if (plan === undefined)
    return { what: promiseWords(NAMES.persistent, mode, tasks), fix: promiseFix(mode.promise ?? "DONE") };
  if (plan === "missing") return { what: planLost(mode), fix: planLostFix() };
  const what = planWords(mode, plan);
  return isGuess(plan, mode)
    ? { what, fix: guessedPlanFix(plan, mode) }
    : { what, fix: planFix(plan), plan: plan.path };
}
