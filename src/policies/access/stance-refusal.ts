/** The refusal of work that the stance does not allow. */

import { deny, type Ruling } from "../../kernel/policy.ts";
import { type Text, text } from "../../lib/text.ts";
import type { Domain, Risk } from "../../reading/operation/domain.ts";
import type { Stance } from "../../state/stance.ts";

export function outsideStance(tool: string, domain: Domain, risk: Risk, stance: Stance): Ruling {
  const where = stance.toUpperCase();
  return deny({
    what: text(
      `[BLOCKED] ${tool} is ${domain} work (${risk} risk), and the stance is ${where} (phase_policy).`,
      `[BLOCKED] ${tool} は ${domain} の作業 (リスク ${risk}) で、現在の構えは ${where} です (phase_policy)。`,
    ),
    fix: FIX[stance],
  });
}

const FIX: Readonly<Record<Stance, Text>> = {
  planning: text(
    "Read, ask, and write the plan below docs/. When it is time to build, the person runs `sekisho stance building`.",
    "調査と質問、docs/ 以下への計画の記述を行ってください。実装を始めるときは利用者が `sekisho stance building` を実行します。",
  ),
  building: text(
    "Finish the work here. What leaves this machine is for the person to send or to allow: `profile.remote` says so here.",
    "作業は手元で仕上げてください。外へ送るのは利用者、または利用者の許可によります (`profile.remote` の設定)。",
  ),
  auditing: text(
    "Read and report; change nothing. To work on it again, the person runs `sekisho stance building`.",
    "読んで報告するだけにしてください。作業を再開するときは利用者が `sekisho stance building` を実行します。",
  ),
};
