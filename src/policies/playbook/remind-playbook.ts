import { NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { PLACE } from "../example.ts";
import { planLine } from "./plan-line.ts";

/** Where changes need a plan, the agent hears of it before it is refused. Once, until the plan stands differently. */
export const remindPlaybook = definePolicy({
  id: "remind-playbook",
  only: "plans",
  on: ["UserPromptSubmit"],
  needs: ["settings", "session", "plan"],
  // Where the size decides, small work hears nothing.
  needsIf: { plan: ({ settings }) => settings.plan.required === "code" || settings.plan.required === "all" },
  why: text(
    "Whoever knows the plan from the start needs no refusal to be reminded of it.",
    "最初から計画を知っていれば、拒否されて思い出す必要がない。",
  ),

  applies: (event) => !event.notification,

  check({ facts: { settings, session, plan } }) {
    if (plan === NOT_ASKED || settings.plan.required === "off") return pass;
    const found = plan as PlanFound;
    const notice = `plan ${found.active?.standing ?? "none"} ${inline(found.active?.path ?? "", 80)}`;
    // Where all changes need a plan, every prompt says so: that is the framework's own rule.
    if (settings.plan.required !== "all" && session.shown.includes(notice)) return pass;
    const changes = session.shown.includes(notice) ? [] : [{ record: "session", do: "show", notice } as const];
    return { ...pass, notes: [wordsFor(found, settings.plan.required)], changes };
  },

  get examples(): readonly Example[] {
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "all" as const } };
    const plan = { root: PLACE, drafts: [], named: [] };
    const active = { path: ".sekisho/playbooks/button.md", standing: "approved", changed: [] } as const;
    const when = { name: "UserPromptSubmit", prompt: "make a button" } as const;
    return [
      { expect: "pass", when, given: { settings, plan } },
      { expect: "pass", when, given: { settings, plan: { ...plan, active } } },
      { expect: "pass", when },
    ];
  },
});

function wordsFor(found: PlanFound, required: string): Text {
  const line = planLine(found);
  if (line) return text(`${line.en} Work by it.`, `${line.ja} これに従って作業してください。`);
  const [draft] = found.drafts;
  const what = required === "code" ? ["changes of code", "コードの変更"] : ["changes", "変更"];
  const [en, ja] =
    draft === undefined
      ? ["begin with `sekisho playbook new NAME`", "`sekisho playbook new NAME` から始めてください"]
      : [`a draft is there: ${inline(draft, 60)}`, `下書きがあります: ${inline(draft, 60)}`];
  return text(
    `No plan is approved here, and ${what[0]} need one: ${en}.`,
    `ここには承認された計画がなく、${what[1]}には計画が必要です。${ja}。`,
  );
}
