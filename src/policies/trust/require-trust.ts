import type { Facts } from "../../kernel/facts.ts";
import { ask, definePolicy, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { weighOperation } from "../../kernel/weighing.ts";
import { own } from "../../lib/keyed.ts";
import { within } from "../../lib/paths.ts";
import { type Text, text } from "../../lib/text.ts";
import type { Because, Risk } from "../../reading/operation/domain.ts";
import { familyOfLine, hostOfLine } from "../../reading/operation/families.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { changesOn } from "../../state/agreements.ts";
import type { WeighingRecord } from "../../state/record.ts";
import { bash, edit, read } from "../example.ts";
import { withScripts } from "../with-scripts.ts";
import { causeWords } from "./causes.ts";

/** Trust is earned per kind of work: without enough of it the person is asked, and critical work is denied. */
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
    const approves = mayApprove(operation, facts);
    const isRead = wholeLineIsRead(operation, facts.scripts);
    const named = facts.scripts.length === 0 && operation.shell ? familyOfLine(operation.shell) : undefined;
    const host = named !== undefined && operation.shell ? hostOfLine(operation.shell) : undefined;
    const isOnce = host !== undefined && facts.settings.profile.trust_gate !== "domain";
    const family = named !== undefined && { family: named, ...(isOnce && { agreement: [changesOn(host)] }) };
    const judge = (one: Operation): Ruling => {
      const ruling = rulingOn(event.tool.name, one, operation.domain, approves, facts);
      return isRead && ruling.decision === "ask" ? { ...ruling, onlyTrust: true, ...family } : ruling;
    };
    const itself = judge(operation);
    return facts.scripts.length > 0 ? withScripts(itself, facts.scripts, (script) => judge(script.operation)) : itself;
  },

  examples: [
    { expect: "pass", when: read("src/app.ts") },
    { expect: "pass", when: edit("src/app.ts") },
    { expect: "pass", when: bash("make") },
    { expect: "pass", when: bash("pip install requests && chmod +x run.sh") },
    { expect: "ask", when: bash("ssh deploy@example.com 'docker compose restart api'") },
    { expect: "deny", when: bash("DEPLOY_TOKEN=abc123 ./deploy.sh") },
  ],
});

/** A line that can't be read may do damage, so its question isn't only about trust. */
function wholeLineIsRead(operation: Operation, scripts: Facts["scripts"]): boolean {
  const all = [operation, ...scripts.map((script) => script.operation)];
  return all.every((one) => one?.parts.every(({ worthAsking }) => worthAsking !== "unread"));
}

type Known = Pick<Facts, "trust" | "stance" | "settings" | "now">;

/** The command and every script it runs must be readable, whatever their origin. */
function mayApprove(
  operation: Operation,
  { settings, scripts, targets, places }: Pick<Facts, "settings" | "scripts" | "targets" | "places">,
): boolean {
  if (!settings.trust.approve || !isInSight(operation, { targets, places })) return false;
  return scripts.every((script) => {
    return script.operation !== undefined && isInSight(script.operation, { targets: script.targets ?? {}, places });
  });
}

/**
 * Trust in one kind of work says nothing about another. The host asks about its own control tools; third-party tools
 * share one domain and their effects are invisible; work in the project says nothing about files outside it.
 */
function isInSight({ parts, effects }: Operation, { targets, places }: Pick<Facts, "targets" | "places">): boolean {
  return (
    !parts.some(({ domain }) => OUT_OF_SIGHT.has(domain)) &&
    effects.every(
      ({ path, literal, elsewhere }) => literal && !elsewhere && within(own(targets, path) ?? path, places.project),
    )
  );
}

const OUT_OF_SIGHT: ReadonlySet<string> = new Set(["control", "external", "_global"]);

/** `first`: the domain that the record already names; a different deciding domain is added to the weighing. */
function rulingOn(tool: string, operation: Operation, first: string, approves: boolean, facts: Known): Ruling {
  const { domain, risk, weighing, because } = weighOperation(operation, facts);
  const { score, autonomy, grade, model } = weighing;
  const alone: WeighingRecord = { score, autonomy, grade, model, stance: facts.stance.stance };
  const weighed = domain === first ? alone : { ...alone, domain };
  const { trust, profile } = facts.settings;
  // The initial score was not earned, so it approves nothing.
  const isSilent = grade === "logged_only" || (grade === "auto_approved" && !(approves && score > trust.initial_score));
  if (isSilent) return { decision: "pass", weighed };
  const about = describe(domain, risk, alone, because);
  return { ...spoken(tool, alone, about, profile.trust_gate_threshold), weighed };
}

function spoken(tool: string, weighed: WeighingRecord, about: Text, threshold: number): Ruling {
  switch (weighed.grade) {
    case "blocked":
      return deny({ what: both(`[BLOCKED] ${tool}: `, about, " (critical_risk)."), fix: FOR_PEOPLE });
    case "human_required":
      return ask({
        what: both(`[CONFIRM] ${tool}: `, askedBecause(about, weighed, threshold), " (human_approval)."),
        fix: EARN_IT,
      });
    default:
      return { ...pass, approve: text(`Sekisho: earned (${about.en}).`, `関所: 信頼により許可 (${about.ja})。`) };
  }
}

function both(before: string, { en, ja }: Text, after: string): Text {
  return text(`${before}${en}${after}`, `${before}${ja}${after.replace(".", "。")}`);
}

function describe(
  domain: string,
  risk: Risk,
  { stance, score, autonomy }: WeighingRecord,
  because: Because | undefined,
): Text {
  const where = stance.toUpperCase();
  const cause = because && causeWords(because);
  return text(
    `${cause ? `${cause.en}; ` : ""}${domain}, ${risk} risk, stance ${where}, trust ${score}, autonomy ${autonomy}`,
    `${cause ? `${cause.ja}。` : ""}${domain}、リスク ${risk}、構え ${where}、信頼 ${score}、自律度 ${autonomy}`,
  );
}

/** Below the threshold, says which trust score would stop the question. */
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
