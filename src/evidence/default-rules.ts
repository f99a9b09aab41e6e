/** The built-in evidence rules, and the rules in force under given settings. */

import { bareName } from "../state/session/proof.ts";
import type { EvidenceRule } from "../state/settings/evidence-rules.ts";
import type { Settings } from "../state/settings/settings.ts";

/** A built-in rule and the setting that enables it. */
export interface DefaultRule {
  readonly rule: EvidenceRule;
  readonly setting: string;
  /** The skill that the rule requires. */
  readonly skill?: string;
}

/** The enabled built-in rules, including those whose skill is missing. */
export function defaultRules({ rules }: Settings, skillsDirectory: string): readonly DefaultRule[] {
  const { code_skill: code, document_skill: documents, writing_skill: skills, read_before_edit: read } = rules;
  return [
    ...skillRule("code-skill", "rules.code_skill", code, { kinds: ["code"], effects: ["write"] }),
    ...skillRule("document-skill", "rules.document_skill", documents, { kinds: ["document"], effects: ["write"] }),
    ...skillRule("writing-skill", "rules.writing_skill", skills, {
      globs: [`**/${skillsDirectory}/**`, "**/SKILL.md"],
      effects: ["write"],
    }),
    ...(read === "off" ? [] : [{ rule: readRule(read), setting: "rules.read_before_edit" }]),
  ];
}

/** Whether a rule, or the check before the end, asks for a skill. */
export function asksForSkills(settings: Settings): boolean {
  return settings.verify.skill !== "" || asksFor(settings, ({ evidence }) => evidence === "skill");
}

function skillRule(
  name: string,
  setting: string,
  skill: string,
  files: Omit<EvidenceRule["when"], "event">,
): readonly DefaultRule[] {
  if (skill === "") return [];
  const need = { evidence: "skill", of: bareName(skill), freshness: "session" } as const;
  return [{ rule: { name, when: { event: "PreToolUse", ...files }, need, else: "deny" }, setting, skill }];
}

function readRule(consequence: "warn" | "ask" | "deny"): EvidenceRule {
  return {
    name: "read-before-edit",
    when: { event: "PreToolUse", effects: ["write", "delete"] },
    need: { evidence: "read", freshness: "session" },
    else: consequence,
  };
}

/** Skips rules whose skill does not exist, because they could never be satisfied. */
export function rulesInForce(
  settings: Settings,
  skills: readonly string[],
  skillsDirectory: string,
): readonly EvidenceRule[] {
  const there = skills.map(bareName);
  const ours = defaultRules(settings, skillsDirectory).filter(
    ({ skill }) => skill === undefined || there.includes(bareName(skill)),
  );
  return [...ours.flatMap(({ rule }) => [rule, ...keeping(rule, skillsDirectory)]), ...settings.gates.rules];
}

/** Skills that the settings require but that do not exist; their rules are not in force. */
export function missingSkills(settings: Settings, skills: readonly string[]): readonly string[] {
  const there = skills.map(bareName);
  const { code_skill: code, document_skill: documents, writing_skill: writing } = settings.rules;
  const asked = [code, documents, writing, settings.verify.skill];
  return [...new Set(asked.map(bareName))].filter((name) => name !== "" && !there.includes(name));
}

/** Deleting a skill would disable its rule, so the deletion needs the same evidence. */
function keeping(rule: EvidenceRule, skillsDirectory: string): readonly EvidenceRule[] {
  const { of } = rule.need;
  if (rule.need.evidence !== "skill" || of === undefined) return [];
  const when = { event: "PreToolUse", globs: [`${skillsDirectory}/${of}`], effects: ["delete"] } as const;
  return [{ ...rule, when }];
}

/** True if any rule could require such evidence or freshness. */
export function asksFor(settings: Settings, isMeant: (need: EvidenceRule["need"]) => boolean): boolean {
  return (
    settings.gates.rules.some(({ need }) => isMeant(need)) ||
    defaultRules(settings, "").some(({ rule: { need } }) => isMeant(need))
  );
}
