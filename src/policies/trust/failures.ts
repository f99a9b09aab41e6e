/** Message at the third failure in a row in a domain, and at every third after it. */
import type { Facts } from "../../kernel/facts.ts";
import { ESCALATES_AT, personaOf } from "../../kernel/model-ladder.ts";
import { pass, type Ruling } from "../../kernel/policy.ts";
import { weigh } from "../../kernel/weighing.ts";
import { text } from "../../lib/text.ts";
import { trustAt } from "../../state/trust.ts";

export function onFailures(domain: string, facts: Pick<Facts, "trust" | "settings" | "now">): Ruling {
  const known = trustAt(facts.trust, domain, facts.now, facts.settings.trust);
  const inARow = known.consecutiveFailures + 1;
  if (inARow % ESCALATES_AT !== 0) return pass;
  // Includes this failure, which is not counted yet.
  const trust = { domains: { [domain]: { ...known, consecutiveFailures: inARow } } };
  const { model } = weigh(domain, "medium", { ...facts, trust: { ...facts.trust, ...trust } });
  const helper = `${model} (${personaOf(model)})`;
  return {
    ...pass,
    notes: [
      text(
        `Sekisho: ${inARow} failures in a row in ${domain}. Do not repeat it: find the cause, take another way, or hand it to a subagent on ${helper}. If that fails too, ask the person.`,
        `関所: ${domain} で ${inARow} 回連続の失敗です。繰り返さず、原因を調べて別の方法を取るか、${helper} のサブエージェントに任せ、それでも駄目なら利用者に尋ねてください。`,
      ),
    ],
    notices: [
      text(
        `${inARow} failures in a row in ${domain}; recommended model: ${helper}.`,
        `${domain} で ${inARow} 回連続の失敗。推奨モデル: ${helper}。`,
      ),
    ],
  };
}
