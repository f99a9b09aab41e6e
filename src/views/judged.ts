/** What would be decided about a shell command. */
import type { Verdict } from "../kernel/decide.ts";
import { maskText } from "../lib/secrets.ts";
import type { Language } from "../lib/text.ts";
import type { Operation } from "../reading/operation/operation.ts";
import type { Decision } from "../state/decision.ts";

export interface JudgedView {
  /** With secrets masked. */
  readonly command: string;
  readonly decision: Decision;
  readonly operation: Pick<Operation, "class" | "domain" | "risk">;
  readonly objections: readonly {
    readonly policy: string;
    readonly what: string;
    readonly why: string;
    readonly fix: string;
  }[];
  /** Objections that a person's grant or pause lifts. */
  readonly lifted: readonly { readonly policy: string; readonly by: string }[];
}

export function judgedView(
  command: string,
  { decision, objections, lifted = [] }: Verdict,
  { class: kind, domain, risk }: Operation,
  language: Language,
): JudgedView {
  return {
    command: maskText(command),
    decision,
    operation: { class: kind, domain, risk },
    objections: objections.map(({ policy, what, why, fix }) => ({
      policy,
      what: what[language],
      why: why[language],
      fix: fix[language],
    })),
    lifted: lifted.map(({ objection, by }) => ({ policy: objection.policy, by })),
  };
}

/** As one line of JSON. */
export function judgedLine({ command, decision, operation, objections, lifted }: JudgedView): object {
  return {
    command,
    verdict: decision,
    operation,
    policies: objections.map(({ policy }) => policy),
    reason: objections[0]?.what ?? "",
    ...(lifted.length > 0 && { lifted_by: lifted[0]?.by }),
  };
}
