/** Four demo scenarios about trust, computed step by step with the real reducers. */
import { autonomyOf, gradeOf } from "../kernel/autonomy.ts";
import { ESCALATES_AT, personaOf } from "../kernel/model-ladder.ts";
import { type Weighing, weigh } from "../kernel/weighing.ts";
import { complexityOf, type Risk } from "../reading/operation/domain.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { newTrustLedger, recordOutcome, type Trust, type TrustLedger, trustAt } from "../state/trust.ts";
import { scoreBar } from "./score-drawing.ts";

export interface Scenario {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly note: string;
}

type DemoOutcome = "success" | "failure";

interface Step extends Weighing {
  readonly outcome: DemoOutcome;
  readonly trust: Trust;
}

export function demoScenarios(): readonly Scenario[] {
  return [growth(), recovery(), complexity(), escalation()];
}

function growth(): Scenario {
  const steps = stepsOf("file_read", "low", repeated("success", 10));
  return {
    title: `1. Ten successes in file_read, low risk, complexity ${complexityOf("low")}`,
    head: ["Step", "Score", "", "Autonomy", "Decision"],
    rows: steps.map(({ score, autonomy, grade }, at) => [
      String(at + 1),
      String(score),
      scoreBar(score),
      String(autonomy),
      grade,
    ]),
    note: `Each success adds a part of what is missing, so trust grows fast at first. The first ${rates.boost_threshold} operations count more.`,
  };
}

function recovery(): Scenario {
  const begun = [...repeated("success", 5), ...repeated("failure", 2)];
  const steps = untilRecovered(begun);
  return {
    title: "2. Five successes, two failures, and back to where it was",
    head: ["Step", "Outcome", "Score", "", "Consecutive", "Recovering"],
    rows: steps.map(({ outcome, score, trust: { consecutiveFailures, target } }, at) => [
      String(at + 1),
      outcome,
      String(score),
      scoreBar(score),
      String(consecutiveFailures),
      target === undefined ? "no" : `yes -> ${target}`,
    ]),
    note: `A failure leaves ${rates.failure_decay} of the score. Until the score from before the first failure is reached again, successes count ${rates.recovery_boost_multiplier} times: ${steps.length - begun.length} are enough here.`,
  };
}

function untilRecovered(outcomes: readonly DemoOutcome[]): readonly Step[] {
  const steps = stepsOf("shell_exec", "medium", outcomes);
  return steps.at(-1)?.trust.target === undefined ? steps : untilRecovered([...outcomes, "success"]);
}

const TRUSTS = [0.3, 0.5, 0.7];
const FIXED = 0.5;

function complexity(): Scenario {
  const decided = (trust: number, risk: Risk, complexity: number): string => {
    const autonomy = autonomyOf(trust, risk, defaultSettings.risk, complexity);
    return `${autonomy} ${gradeOf(autonomy, risk, defaultSettings.autonomy)}`;
  };
  return {
    title: "3. The same trust, other risks: autonomy with a fixed complexity, and with one that follows the risk",
    head: ["Trust", "Risk", `Fixed at ${FIXED}`, "Complexity", "Derived"],
    rows: TRUSTS.flatMap((trust) =>
      RISKS.map((risk) => [
        String(trust),
        risk,
        decided(trust, risk, FIXED),
        String(complexityOf(risk)),
        decided(trust, risk, complexityOf(risk)),
      ]),
    ),
    note: "Derived is what holds. Simple work is freed sooner, involved work later. Critical work is blocked at any trust.",
  };
}

const RISKS = ["low", "medium", "high"] as const;

const EARNED = 20;

function escalation(): Scenario {
  const steps = stepsOf("shell_exec", "medium", [...repeated("success", EARNED), ...repeated("failure", 5)]);
  return {
    title: `4. Five failures in a row in shell_exec, after ${EARNED} successes`,
    head: ["Step", "Score", "", "Consecutive", "Model", ""],
    rows: steps
      .slice(EARNED - 1)
      .map(({ score, model, trust: { consecutiveFailures } }, at) => [
        at === 0 ? "before" : String(at),
        String(score),
        scoreBar(score),
        String(consecutiveFailures),
        `${model} (${personaOf(model)})`,
        consecutiveFailures === ESCALATES_AT ? "<- self-escalation" : "",
      ]),
    note: `From ${ESCALATES_AT} failures in a row on the agent is told to stop repeating itself, and the recommended model is one step higher.`,
  };
}

const rates = defaultSettings.trust;

function repeated(outcome: DemoOutcome, times: number): readonly DemoOutcome[] {
  return Array.from({ length: times }, () => outcome);
}

/** Steps a minute apart, starting from an empty ledger. */
function stepsOf(domain: string, risk: Risk, outcomes: readonly DemoOutcome[]): readonly Step[] {
  let ledger: TrustLedger = newTrustLedger;
  return outcomes.map((outcome, at) => {
    const now = (at + 1) * 60_000;
    ledger = recordOutcome(ledger, domain, outcome, now);
    const weighed = weigh(domain, risk, { trust: ledger, settings: defaultSettings, now });
    return { ...weighed, outcome, trust: trustAt(ledger, domain, now, rates) };
  });
}
