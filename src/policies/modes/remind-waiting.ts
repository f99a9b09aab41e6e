import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { modesInForce } from "../../state/session/modes.ts";
import { exampleMode } from "../example.ts";
import { isWaiting, NAMES } from "./mode-ending.ts";

/** A background task lets the turn end and may run indefinitely, so the person is told once per mode. */
export const remindWaiting = definePolicy({
  id: "remind-waiting",
  on: ["Stop"],
  needs: ["session", "now", "wokenSoon"],
  why: text(
    "A mode that holds nobody back while something runs should not look as if it did.",
    "バックグラウンドで何かが動く間は引き止めないことを、利用者が知らないままにしない。",
  ),

  // A subagent returns by itself.
  applies: ({ backgroundTasks, wakeUps = 0, awaitsAgent }) => (backgroundTasks > 0 || wakeUps > 0) && !awaitsAgent,

  check({ event, facts: { session, now, wokenSoon } }) {
    const [mode] = modesInForce(session.modes, now).filter(({ paused }) => paused === undefined);
    if (!mode || !isWaiting(event, wokenSoon)) return pass;
    const key = `waiting in ${mode.name} since ${mode.since}`;
    if (session.shown.includes(key)) return pass;
    const { en, ja } = NAMES[mode.name];
    const notice =
      event.backgroundTasks > 0
        ? text(
            `${en} is on and lets the turn end: a command of the agent's runs in the background. While it runs, nobody is held`,
            `${ja}は有効ですが、バックグラウンドのコマンドが動いているため終了を許しました。動いている間は引き止めません`,
          )
        : text(
            `${en} is on and lets the turn end: the agent has set itself an alarm. Until then nobody is held`,
            `${ja}は有効ですが、エージェントが再開を予約しているため終了を許しました。それまでは引き止めません`,
          );
    return { ...pass, notices: [notice], changes: [{ record: "session", do: "show", notice: key }] };
  },

  get examples(): readonly Example[] {
    const session = boundSession({ modes: { persistent: exampleMode } });
    const stop = { name: "Stop", backgroundTasks: 1, lastMessage: "" } as const;
    return [
      { expect: "pass", when: stop },
      { expect: "pass", when: stop, given: { session } },
    ];
  },
});
