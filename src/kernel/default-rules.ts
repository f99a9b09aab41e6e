/** The rules that come with the program, as data, and all that are in force under some settings. */
import type { EvidenceRule } from "../state/evidence-rules.ts";
import { bareName } from "../state/proof.ts";
import type { Settings } from "../state/settings.ts";

/** A rule that comes with us, and the setting that switches it on. */
export interface DefaultRule {
  readonly rule: EvidenceRule;
  readonly setting: string;
  /** The skill without which nobody could keep the rule. */
  readonly skill?: string;
}

/** Those that are switched on, also those whose skill is not there. */
export function defaultRules({ rules }: Settings): readonly DefaultRule[] {
  const { code_skill: code, document_skill: documents, writing_skill: skills, read_before_edit: read } = rules;
  return [
    ...skillRule("code-skill", "rules.code_skill", code, { kinds: ["code"], effects: ["write"] }),
    ...skillRule("document-skill", "rules.document_skill", documents, { kinds: ["document"], effects: ["write"] }),
    ...skillRule("writing-skill", "rules.writing_skill", skills, { globs: SKILL_FILES, effects: ["write"] }),
    ...(read === "off" ? [] : [{ rule: readRule(read), setting: "rules.read_before_edit" }]),
  ];
}

const SKILL_FILES = ["**/.claude/skills/**", "**/SKILL.md"];

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

/** The skills that there are; a rule that asks for another would hold the work up for ever. */
export function rulesInForce(settings: Settings, skills: readonly string[]): readonly EvidenceRule[] {
  const there = skills.map(bareName);
  const ours = defaultRules(settings).filter(({ skill }) => skill === undefined || there.includes(bareName(skill)));
  return [...ours.flatMap(({ rule }) => [rule, ...keeping(rule)]), ...settings.gates.rules];
}

/** Those that the settings ask for and nobody can take up: what asks for them is not in force. */
export function missingSkills(settings: Settings, skills: readonly string[]): readonly string[] {
  const there = skills.map(bareName);
  const asked = [...defaultRules(settings).map(({ skill = "" }) => skill), settings.verify.skill];
  return [...new Set(asked.map(bareName))].filter((name) => name !== "" && !there.includes(name));
}

/** With its skill a rule would go too: it is not thrown away by who has not even looked at it. */
function keeping(rule: EvidenceRule): readonly EvidenceRule[] {
  const { of } = rule.need;
  if (rule.need.evidence !== "skill" || of === undefined) return [];
  const when = { event: "PreToolUse", globs: [`.claude/skills/${of}`], effects: ["delete"] } as const;
  return [{ ...rule, when }];
}

/** Whether any rule at all could ask for such evidence, or for such freshness. */
export function asksFor(settings: Settings, isMeant: (need: EvidenceRule["need"]) => boolean): boolean {
  return (
    settings.gates.rules.some(({ need }) => isMeant(need)) ||
    defaultRules(settings).some(({ rule: { need } }) => isMeant(need))
  );
}
