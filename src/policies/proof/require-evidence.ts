import { asksForSkills, rulesInForce } from "../../evidence/default-rules.ts";
import { NAMELESS } from "../../kernel/event.ts";
import { askedOr } from "../../kernel/facts.ts";
import { definePolicy, deny, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { changes } from "../../reading/operation/operation.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { bash, edit, PLACE, read, using } from "../example.ts";
import { onChange } from "./evidence-gate.ts";

/** A file may be changed only after the session has shown the evidence that the rules require. */
export const requireEvidence = definePolicy({
  id: "require-evidence",
  on: ["PreToolUse"],
  needs: ["now", "session", "settings", "places", "targets", "standing", "scripts", "skills", "host", "personChecks"],
  needsIf: { skills: ({ settings }) => asksForSkills(settings) },
  ofTheMoment: true,
  why: text(
    "Work that begins with what is known about doing it well needs fewer repairs.",
    "良いやり方を確かめてから始めた仕事は、手直しが少ない。",
  ),

  // Without a session there is no evidence to look for; `require-session` refuses such a change.
  applies: ({ tool, session }, operation) =>
    (changes(operation) && session !== NAMELESS) || (tool.kind === "control" && tool.answered === true),

  check({ event, operation, facts }) {
    if (event.tool.kind === "control") return deny({ what: ANSWERED, fix: ASK_OPENLY });
    const rules = rulesInForce(facts.settings, askedOr(facts.skills, []), facts.host.skillsDirectory);
    // Most projects have no rules; the evidence code is loaded only when there are some.
    if (rules.length === 0) return pass;
    return onChange(event, operation, facts, rules);
  },

  get examples(): readonly Example[] {
    const settings = { ...defaultSettings, rules: { ...defaultSettings.rules, code_skill: "code-quality-rules" } };
    const skills = ["code-quality-rules"];
    const proof = { skills: { "code-quality-rules": 900 }, reads: {}, reviews: {}, approvals: {} };
    const shown = boundSession({ proof });
    return [
      { expect: "deny", when: edit(`${PLACE}/a.ts`), given: { settings, skills } },
      { expect: "deny", when: bash("sed -i s/a/b/ a.ts"), given: { settings, skills } },
      { expect: "pass", when: edit(`${PLACE}/a.ts`), given: { settings, skills, session: shown } },
      { expect: "pass", when: edit(`${PLACE}/a.json`), given: { settings, skills } },
      { expect: "pass", when: edit(`${PLACE}/a.ts`), given: { settings, skills: [] } },
      { expect: "pass", when: read(`${PLACE}/a.ts`), given: { settings, skills } },
      { expect: "deny", when: using({ kind: "control", name: "AskUserQuestion", answered: true }) },
    ];
  },
});

const ANSWERED = text(
  "This question to the person brings its own answer.",
  "利用者への質問に、答えがあらかじめ書き込まれています。",
);
const ASK_OPENLY = text(
  "Ask again without the field `answers`: the person fills it in.",
  "`answers` を付けずに質問し直してください。答えるのは利用者です。",
);
