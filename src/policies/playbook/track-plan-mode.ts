import type { HookEvent } from "../../kernel/event.ts";
import { NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, type Example, pass, remember } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { inline, text } from "../../lib/text.ts";
import { digestOf, partsOf } from "../../playbook/identity.ts";
import { planModeFile } from "../../playbook/plan-mode.ts";
import { readPlaybook } from "../../playbook/read.ts";
import { traitsOf } from "../../playbook/traits.ts";
import { boundSession } from "../../state/session/example-session.ts";
import type { Session } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { PLACE, using } from "../example.ts";

/** Nobody reads a plan and chooses in less; another hook answers at once. */
const READING_MS = 1000;
const DIRECTORY = ".sekisho/playbooks";

/** A plan with which a person leaves the host's plan mode is approved: it becomes a playbook as they saw it. */
export const trackPlanMode = definePolicy({
  id: "track-plan-mode",
  only: "plans",
  on: ["PermissionRequest", "PostToolUse"],
  needs: ["settings", "session", "plan", "now"],
  needsIf: { plan: ({ event, settings }) => settings.plan.required !== "off" && "plan" in event },
  why: text(
    "Who has read a plan in the dialog and chosen to go on need not be asked again.",
    "画面で計画を読んで進めると選んだ人に、もう一度尋ねる必要はない。",
  ),
  applies: (event) => event.tool.kind === "control" && event.tool.leavesPlan === true,

  check({ event, facts: { settings, session, plan, now } }) {
    if (settings.plan.required === "off" || !event.attended || event.agent) return pass;
    if (event.name === "PermissionRequest") return remember({ record: "session", do: "ask-plan" });
    if (plan === NOT_ASKED || event.plan === undefined || !isChosen(event, session, now)) return pass;
    const { root } = plan as PlanFound;
    const { name, text: words } = planModeFile(event.plan);
    const playbook = readPlaybook(words);
    const path = `${DIRECTORY}/${name}.md`;
    const bound = { path, digest: digestOf(playbook), parts: partsOf(playbook), ...traitsOf(playbook, words.length) };
    return {
      ...remember({ record: "playbook", do: "approve", root, by: "plan-mode", ...bound }),
      jobs: [{ job: "write-plan", file: `${root}/${path}`, text: words }],
      notices: [
        text(
          `Plan approved: ${inline(path, 80)}. If it is changed, your approval is asked for again.`,
          `計画を承認しました: ${inline(path, 80)}。変更されたら、もう一度承認を求めます。`,
        ),
      ],
    };
  },

  get examples(): readonly Example[] {
    const tool = { kind: "control", name: "ExitPlanMode", leavesPlan: true } as const;
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "code" as const } };
    const asked = { tool: "ExitPlanMode", at: 100, background: false };
    const session = { ...boundSession(), calls: { "call-1": asked }, planAskedAt: 200 };
    const left = { ...using(tool, "PostToolUse"), plan: "# Plan\n\n1. edit hello.txt\n", failed: false };
    return [
      { expect: "pass", when: { ...using(tool), name: "PermissionRequest" }, given: { settings } },
      {
        expect: "pass",
        when: left,
        given: { settings, session, now: 5000, plan: { root: PLACE, drafts: [], named: [] } },
      },
    ];
  },
});

/** The host showed the plan to a person, and some time passed before it went on. */
function isChosen(event: HookEvent<"PostToolUse">, session: Session, now: number): boolean {
  const call = own(session.calls, event.call);
  const { planAskedAt: asked } = session;
  if (!call || event.failed || session.headless || asked === undefined || asked < call.at) return false;
  return now - asked >= READING_MS;
}
