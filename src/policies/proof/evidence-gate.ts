/** A tool use held against the rules about evidence. */
import type { HookEvent } from "../../kernel/event.ts";
import { type Unmet, unmetRules } from "../../kernel/evidence-rule.ts";
import type { Facts } from "../../kernel/facts.ts";
import type { Operation } from "../../kernel/operation.ts";
import { ask, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { proofStanding } from "../../kernel/proof-standing.ts";
import { clip } from "../../kernel/text.ts";
import type { EvidenceRule } from "../../state/evidence-rules.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";
import { fixFor, noteFor, whatFor } from "./evidence-words.ts";
import { touchedFiles } from "./touched-files.ts";

type Known = Pick<Facts, "now" | "session" | "settings" | "places" | "targets" | "standing" | "scripts">;

export function onChange(
  event: HookEvent<"PreToolUse">,
  operation: Operation,
  facts: Known,
  rules: readonly EvidenceRule[],
): Ruling {
  const { settings, session, places, standing, now } = facts;
  const agent = event.agent && clip(event.agent.id, 80);
  const { turnAt, changedAt } = session.proof ?? {};
  const endings = settings.gates.code_extensions;
  const judge = (one: Pick<ReadScript, "operation" | "targets">): Ruling => {
    const ground = { cwd: event.cwd, places, targets: one.targets, standing, endings };
    const unmet = unmetRules(rules, {
      event: "PreToolUse",
      root: places.project,
      now,
      files: touchedFiles(event.tool, one.operation, ground),
      standing: proofStanding(session, agent),
      ...(turnAt !== undefined && { turnAt }),
      ...(changedAt !== undefined && { changedAt }),
    });
    return rulingOn(unmet, session.shown, agent !== undefined);
  };
  const itself = judge({ operation, targets: facts.targets });
  return facts.scripts.length > 0 ? withScripts(itself, facts.scripts, judge) : itself;
}

/** The strictest decides, and says what all of them want. */
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

/** Said once in a session. */
function noticeOf(name: string): string {
  return `rule ${name}`;
}
