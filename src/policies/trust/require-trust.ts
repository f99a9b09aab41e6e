import type { Facts } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { RISKS } from "../../kernel/operation-domain.ts";
import { within } from "../../kernel/paths.ts";
import { ask, definePolicy, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { type Text, text } from "../../kernel/text.ts";
import { weighOperation } from "../../kernel/weighing.ts";
import { own } from "../../state/keyed.ts";
import type { WeighingRecord } from "../../state/record.ts";
import { bash, edit, read } from "../example.ts";

/** Autonomy is earned by kind of work: where it ends a person is asked, and what is critical is for people only. */
export const requireTrust = definePolicy({
  id: "require-trust",
  on: ["PreToolUse"],
  needs: ["trust", "stance", "settings", "now", "places", "targets", "scripts"],
  ofTheMoment: true,
  why: text(
    "What an agent may do by itself follows from how its work of this kind has gone so far.",
    "エージェントが単独でできることは、同種の作業のこれまでの結果で決まる。",
  ),

  check({ event, operation, facts }) {
    const whole = facts.scripts.length > 0 ? withItsScripts(operation, facts.scripts) : operation;
    const { domain, weighing } = weighOperation(whole, facts);
    const { score, autonomy, grade, model } = weighing;
    const weighed: WeighingRecord = { score, autonomy, grade, model, stance: facts.stance.stance };
    const named = domain === operation.domain ? weighed : { ...weighed, domain };
    if (grade === "logged_only") return { decision: "pass", weighed: named };
    const { trust, profile } = facts.settings;
    const approves = trust.approve && isInSight(whole, facts) && isEarned(score, facts);
    if (grade === "auto_approved" && !approves) return { decision: "pass", weighed: named };
    const heard = { weighed: named, approves, threshold: profile.trust_gate_threshold };
    return { ...rulingOn(event.tool.name, whole, heard), weighed: named };
  },

  examples: [
    { expect: "pass", when: read("src/app.ts") },
    { expect: "pass", when: edit("src/app.ts") },
    { expect: "pass", when: bash("make") },
    { expect: "ask", when: bash("chmod 755 run.sh") },
    { expect: "deny", when: bash("DEPLOY_TOKEN=abc123 ./deploy.sh") },
  ],
});

/** A command is what the scripts of this session do that it runs, and as risky. */
function withItsScripts(operation: Operation, scripts: Facts["scripts"]): Operation {
  const read = scripts.flatMap(({ origin, operation: one }) => (origin === "project" || !one ? [] : [one]));
  if (read.length === 0) return operation;
  const { deletes: _, ...rest } = operation;
  const all = [operation, ...read];
  const risk = all.map((one) => one.risk).reduce((a, b) => (RISKS.indexOf(b) > RISKS.indexOf(a) ? b : a));
  const deletes = all.every((one) => one.risk !== risk || one.deletes) && { deletes: true as const };
  return { ...rest, risk, domains: [...new Set(all.flatMap(({ domains }) => domains))], ...deletes };
}

/**
 * Trust in one thing says nothing of another. What steers the client is its own to ask about; other people's tools all
 * share a domain, and nobody sees what they do; and work in the project says nothing of the files around it.
 */
function isInSight({ domains, effects }: Operation, { targets, places }: Pick<Facts, "targets" | "places">): boolean {
  return (
    !domains.some((domain) => OUT_OF_SIGHT.has(domain)) &&
    effects.every(
      ({ path, literal, elsewhere }) => literal && !elsewhere && within(own(targets, path) ?? path, places.project),
    )
  );
}

const OUT_OF_SIGHT: ReadonlySet<string> = new Set(["control", "external", "_global"]);

/** What everybody starts with is nobody's earning. */
function isEarned(score: number, { settings }: Pick<Facts, "settings">): boolean {
  return score > settings.trust.initial_score;
}

interface Heard {
  readonly weighed: WeighingRecord;
  readonly approves: boolean;
  /** Of the gate. */
  readonly threshold: number;
}

function rulingOn(tool: string, operation: Operation, { weighed, approves, threshold }: Heard): Ruling {
  const about = describe(operation, weighed);
  switch (weighed.grade) {
    case "blocked":
      return deny({ what: both(`[BLOCKED] ${tool}: `, about, " (critical_risk)."), fix: FOR_PEOPLE });
    case "human_required":
      return ask({
        what: both(`[CONFIRM] ${tool}: `, askedBecause(about, weighed, threshold), " (human_approval)."),
        fix: EARN_IT,
      });
    case "auto_approved":
      return approves
        ? { ...pass, approve: text(`Sekisho: earned (${about.en}).`, `関所: 信頼により許可 (${about.ja})。`) }
        : pass;
    default:
      return pass;
  }
}

function both(before: string, { en, ja }: Text, after: string): Text {
  return text(`${before}${en}${after}`, `${before}${ja}${after.replace(".", "。")}`);
}

function describe({ domain: own, risk }: Operation, { domain = own, stance, score, autonomy }: WeighingRecord): Text {
  const where = stance.toUpperCase();
  return text(
    `${domain}, ${risk} risk, stance ${where}, trust ${score}, autonomy ${autonomy}`,
    `${domain}、リスク ${risk}、構え ${where}、信頼 ${score}、自律度 ${autonomy}`,
  );
}

/** What would have to be otherwise: below the gate it is the trust, and the rest only tells what is at stake. */
function askedBecause({ en, ja }: Text, { score }: WeighingRecord, threshold: number): Text {
  if (score >= threshold) return text(en, ja);
  return text(`${en}; from trust ${threshold} on it is not asked`, `${ja}。信頼が ${threshold} に達すれば確認しません`);
}

const EARN_IT = text(
  "Let the person confirm it, or take a way with less at stake. Successes in this kind of work raise the trust in it.",
  "利用者の確認を待つか、影響の小さい方法を選んでください。この種の作業の成功が信頼を上げます。",
);
const FOR_PEOPLE = text(
  "Let the person do it; no trust opens this. Secrets belong in the environment, not in a command.",
  "利用者に実行してもらってください。信頼では開きません。秘密情報はコマンドではなく環境に置いてください。",
);
