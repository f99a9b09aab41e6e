import { hasMarker } from "../../evidence/marker.ts";
import { askedOr, NO_TASKS } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { type Mode, type Modes, modeInForce } from "../../state/session/modes.ts";
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
import { promiseFix, promiseWords } from "./mode-words.ts";

/** Keeps the agent working in parallel until it promises that the work is done, or all its tasks are. */
export const requireTurbo = definePolicy({
  id: "require-turbo",
  on: ["Stop"],
  needs: ["session", "now", "hostTasks", "wokenSoon"],
  needsIf: { hostTasks: ({ session }) => session.modes?.turbo !== undefined },
  bound: 60,
  level: "turbo",
  why: text(
    "The person asked for all of it to be done in one go, and they alone end that before it is.",
    "一気に進めるよう依頼されている。途中で終わらせるのは利用者だけ。",
  ),
  applies: isAsked,

  check({ event, facts: { session, now, hostTasks: asked, wokenSoon } }) {
    const mode = modeInForce(session.modes, "turbo", now);
    if (!mode || mode.paused !== undefined || isLed(mode, session.modes, now)) return pass;
    const said = hasMarker(event.lastMessage, mode.promise ?? "DONE");
    if (isWaiting(event, wokenSoon)) return waitingRuling("turbo", mode, said);
    const hostTasks = askedOr(asked, NO_TASKS);
    const areDone = hostTasks.open === 0 && !hostTasks.more && hostTasks.done > 0 && hostTasks.changedAt >= mode.since;
    if (said || mode.promised || areDone) return doneRuling("turbo", mode, said);
    if (isSpent(mode)) return spentRuling("turbo", mode);
    const fix = promiseFix(mode.promise ?? "DONE");
    const hint = mode.count >= CANCEL_FROM ? CANCEL : text("", "");
    return heldRuling("turbo", mode, {
      what: promiseWords(NAMES.turbo, mode, hostTasks),
      fix: text(fix.en + hint.en, fix.ja + hint.ja),
    });
  },

  get examples(): readonly Example[] {
    const session = boundSession({ modes: { turbo: exampleMode } });
    const stop = { name: "Stop", backgroundTasks: 0, lastMessage: "" } as const;
    const hostTasks = { open: 0, done: 2, shown: [], changedAt: 9 };
    return [
      { expect: "pass", when: stop },
      { expect: "deny", when: stop, given: { session } },
      { expect: "pass", when: { ...stop, wakeUps: 1 }, given: { session } },
      { expect: "pass", when: stop, given: { session, hostTasks } },
    ];
  },
});

/** The mode that started this one decides when both are done. */
function isLed(mode: Mode, modes: Modes | undefined, now: number): boolean {
  return mode.with !== undefined && modeInForce(modes, mode.with, now) !== undefined;
}

/** From the third refusal on. */
const CANCEL_FROM = 2;
const CANCEL = text(
  " If nothing is left to do, tell the person so: they end the mode by typing `cancel`.",
  " もうすることがなければ利用者にそう伝えてください。「キャンセル」と入力すればモードを終えられます。",
);
