/** Checks a tool use against the evidence rules. */

import { type Unmet, unmetRules } from "../../evidence/evidence-rule.ts";
import { standingIn } from "../../evidence/work-standing.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Facts } from "../../kernel/facts.ts";
import { ask, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { clip } from "../../lib/text.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { EvidenceRule } from "../../state/settings/evidence-rules.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";
import { fixFor, noteFor, whatFor } from "./evidence-words.ts";
import { touchedFiles } from "./touched-files.ts";

type Known = Pick<
  Facts,
  "now" | "session" | "settings" | "places" | "targets" | "standing" | "scripts" | "personChecks"
>;

export function onChange(
  event: HookEvent<"PreToolUse">,
  operation: Operation,
  facts: Known,
  rules: readonly EvidenceRule[],
): Ruling {
  const { settings, session, places, standing, now } = facts;
  const agent = event.agent && { ...event.agent, id: clip(event.agent.id, 80) };
  const { turnAt, changedAt } = session.proof ?? {};
  const endings = settings.gates.code_extensions;
  const judge = (one: Pick<ReadScript, "operation" | "targets">): Ruling => {
    const ground = { cwd: event.cwd, places, targets: one.targets, standing, endings };
    const unmet = unmetRules(rules, {
      event: "PreToolUse",
      root: places.project,
      now,
      files: touchedFiles(event.tool, one.operation, ground),
      standing: standingIn(session, agent, { root: places.project, person: facts.personChecks }),
      ...(turnAt !== undefined && { turnAt }),
      ...(changedAt !== undefined && { changedAt }),
    });
    return rulingOn(unmet, session.shown, agent !== undefined);
  };
  const itself = judge({ operation, targets: facts.targets });
  return facts.scripts.length > 0 ? withScripts(itself, facts.scripts, judge) : itself;
}

/** The strictest rule decides; the message lists everything that is missing. */
function rulingOn(unmet: readonly Unmet[], shown: readonly string[], isSubagent: boolean): Ruling {
  const [strictest] = [...unmet].sort((a, b) => WEIGHT[b.rule.else] - WEIGHT[a.rule.else]);
  if (!strictest) return pass;
  const held = unmet.filter(({ rule }) => rule.else !== "warn");
  if (held.length > 0) {
    const words = { what: whatFor(held), fix: fixFor(held, isSubagent) };
    return strictest.rule.else === "ask" ? ask(words) : deny(words);
  }
  const fresh = unmet.filter(({ rule }) => !shown.includes(noticeOf(rule.name)));
  return {
    ...pass,
    notes: fresh.map((one) => noteFor(one, isSubagent)),
    changes: fresh.map(({ rule }) => ({ record: "session", do: "show", notice: noticeOf(rule.name) })),
  };
}

const WEIGHT: Readonly<Record<Unmet["rule"]["else"], number>> = { warn: 0, ask: 1, deny: 2, block: 2 };

/** Key that marks the warning as shown, so that it appears once per session. */
function noticeOf(name: string): string {
  return `rule ${name}`;
}
