import type { Facts } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { RISKS } from "../../kernel/operation-domain.ts";
import { ask, definePolicy, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { type Text, text } from "../../kernel/text.ts";
import { weighOperation } from "../../kernel/weighing.ts";
import type { WeighingRecord } from "../../state/record.ts";
import { bash, edit, read } from "../example.ts";

/** Autonomy is earned by kind of work: where it ends a person is asked, and what is critical is for people only. */
export const requireTrust = definePolicy({
  id: "require-trust",
  on: ["PreToolUse"],
  needs: ["trust", "stance", "settings", "now", "scripts"],
  ofTheMoment: true,
  why: text(
    "What an agent may do by itself follows from how its work of this kind has gone so far.",
    "エージェントが単独でできることは、同種の作業のこれまでの結果で決まる。",
  ),

  check({ event, operation, facts }) {
    const { stance } = facts.stance;
    const whole = withItsScripts(operation, facts.scripts);
    const weighed: WeighingRecord = { ...weighOperation(whole, facts), stance };
    return { ...rulingOn(event.tool.name, whole, weighed, facts.settings.trust.approve), weighed };
  },

  examples: [
    { expect: "pass", when: read("src/app.ts") },
    { expect: "pass", when: edit("src/app.ts") },
    { expect: "pass", when: bash("make") },
    { expect: "ask", when: bash("chmod 755 run.sh") },
    { expect: "deny", when: bash("DEPLOY_TOKEN=abc123 ./deploy.sh") },
  ],
});

/** A command is as risky as the scripts of this session that it runs: what they hide is what it does. */
function withItsScripts(operation: Operation, scripts: Facts["scripts"]): Operation {
  const risks = scripts.flatMap(({ origin, operation: read }) => (origin === "project" || !read ? [] : [read]));
  const worst = [operation, ...risks].reduce((a, b) => (RISKS.indexOf(b.risk) > RISKS.indexOf(a.risk) ? b : a));
  if (worst === operation) return operation;
  const { deletes: _, ...rest } = operation;
  return { ...rest, risk: worst.risk, ...(worst.deletes && { deletes: true }) };
}

function rulingOn(tool: string, operation: Operation, weighed: WeighingRecord, approves: boolean): Ruling {
  const about = describe(operation, weighed);
  switch (weighed.grade) {
    case "blocked":
      return deny({
        what: text(`[BLOCKED] ${tool}: ${about} (critical_risk).`, `[BLOCKED] ${tool}: ${about} (critical_risk)。`),
        fix: FOR_PEOPLE,
      });
    case "human_required":
      return ask({
        what: text(`[CONFIRM] ${tool}: ${about} (human_approval).`, `[CONFIRM] ${tool}: ${about} (human_approval)。`),
        fix: EARN_IT,
      });
    case "auto_approved":
      return approves && operation.domain !== "control" ? { ...pass, approve: approval(about) } : pass;
    default:
      return pass;
  }
}

function describe({ domain, risk }: Operation, { stance, score, autonomy }: WeighingRecord): string {
  return `${domain}, ${risk} risk, stance ${stance.toUpperCase()}, trust ${score}, autonomy ${autonomy}`;
}

function approval(about: string): Text {
  return text(`Sekisho: earned (${about}).`, `関所: 信頼により許可 (${about})。`);
}

const EARN_IT = text(
  "Let the person confirm it, or take a way with less at stake. Successes in this kind of work raise the trust in it.",
  "利用者の確認を待つか、影響の小さい方法を選んでください。この種の作業の成功が信頼を上げます。",
);
const FOR_PEOPLE = text(
  "Let the person do it; no trust opens this. Secrets belong in the environment, not in a command.",
  "利用者に実行してもらってください。信頼では開きません。秘密情報はコマンドではなく環境に置いてください。",
);
