/** Message at the third failure in a row in a domain, and at every third after it. */
import type { Facts } from "../../kernel/facts.ts";
import { ESCALATES_AT, personaOf } from "../../kernel/model-ladder.ts";
import { pass, type Ruling } from "../../kernel/policy.ts";
import { weigh } from "../../kernel/weighing.ts";
import { text } from "../../lib/text.ts";
import { madeId } from "../../state/inbox/made-id.ts";
import type { MessageRecord } from "../../state/inbox/records.ts";
import { standingOf } from "../../state/roles/names.ts";
import { PERSON } from "../../state/roles/presets.ts";
import { trustAt } from "../../state/trust.ts";

export interface Failing {
  readonly domain: string;
  readonly session: string;
  readonly call: string;
}

export function onFailures(
  { domain, session, call }: Failing,
  facts: Pick<Facts, "trust" | "settings" | "now" | "session">,
): Ruling {
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
    // Once in a row of failures; what follows is the same trouble.
    ...(inARow === ESCALATES_AT && report({ domain, session, call }, helper, facts)),
  };
}

/** To the supervisor, who can help or give the task to somebody else. A person has read the notice. */
function report(
  { domain, session, call }: Failing,
  helper: string,
  { settings: { roles }, session: { actor } }: Pick<Facts, "settings" | "session">,
): Pick<Ruling, "jobs"> {
  const supervisor = roles.preset === "off" || actor === undefined ? "" : standingOf(actor, roles).supervisor;
  if (supervisor === "" || supervisor === PERSON || actor === undefined) return {};
  const record: MessageRecord = {
    ...{ kind: "message", to: supervisor, from: actor, type: "error_report", note: true, session },
    id: madeId(`failures ${session} ${domain} ${call}`),
    subject: `${actor} failed ${ESCALATES_AT} times in a row in ${domain}`,
    body: `${actor} was told to take another way or to use ${helper}. You hear of this once.`,
  };
  return { jobs: [{ job: "mail", records: [record] }] };
}
