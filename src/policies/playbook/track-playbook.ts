import { maybePlanCheck } from "../../evidence/checks/plan-check.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { askedOr, NOT_ASKED, type PlanFound } from "../../kernel/facts.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { inline, text } from "../../lib/text.ts";
import type { ApprovedBy } from "../../state/playbooks.ts";
import type { Session } from "../../state/session/session.ts";
import { PLACE } from "../example.ts";
import { checkedIn } from "./plan-checked.ts";

/** A person's approval is bound to the plan as it is at that moment, and so are commands of the plan that passed. */
export const trackPlaybook = definePolicy({
  id: "track-playbook",
  on: ["PostToolUse", "UserPromptSubmit"],
  needs: ["session", "places", "plan", "reviewedFiles"],
  needsIf: {
    plan: ({ event }) => mayApprove(event as Event) || isCheck(event as Event),
    reviewedFiles: ({ event }) => isCheck(event as Event),
  },
  why: text(
    "An approval counts for the plan as it was when the person gave it. A later change needs approval again.",
    "承認は、その時点の計画の内容に対して有効です。後で変更したら、もう一度承認が必要です。",
  ),

  applies: (event) => mayApprove(event) || isCheck(event),

  check({ event, facts: { plan, session, places, reviewedFiles } }) {
    if (plan === NOT_ASKED || !isHeard(event, session)) return pass;
    if (isCheck(event) && isOurs(session))
      return remember(...checkedIn(event, plan as PlanFound, askedOr(reviewedFiles, ""), places));
    if (isCheck(event)) return pass;
    const { root, named } = plan as PlanFound;
    const by: ApprovedBy = event.name === "UserPromptSubmit" ? "prompt" : "question";
    return {
      ...pass,
      changes: named.map((one) => ({ record: "playbook", do: "approve", root, by, ...one })),
      notices: named.map(({ path, parts }) =>
        text(
          `Plan approved: ${inline(path, 80)}, ${parts.length - 1} steps. If it is changed, your approval is asked for again.`,
          `計画を承認しました: ${inline(path, 80)} (${parts.length - 1} ステップ)。変更されたら、もう一度承認を求めます。`,
        ),
      ),
    };
  },

  examples: [
    {
      expect: "pass",
      when: { name: "UserPromptSubmit", prompt: "approve button" },
      given: {
        plan: { root: PLACE, drafts: ["button"], named: [{ path: "button.md", digest: "d", parts: ["head:a"] }] },
      },
    },
    { expect: "pass", when: { name: "UserPromptSubmit", prompt: "make a button" } },
  ],
});

type Event = HookEvent<"PostToolUse" | "UserPromptSubmit">;

function isCheck(event: Event): event is HookEvent<"PostToolUse"> {
  return event.name === "PostToolUse" && event.tool.kind === "bash" && maybePlanCheck(event.tool.command);
}

/** A program called `sekisho` that was written in this session checks nothing. */
function isOurs({ written = [] }: Pick<Session, "written">): boolean {
  return !written.some((path) => /\/(?:sekisho$|node_modules\/(?:\.bin$|sekisho(?:\/|$)))/.test(path));
}

function mayApprove(event: Event): boolean {
  const words = event.name === "UserPromptSubmit" ? [event.prompt] : (event.answers ?? []);
  return words.some((one) => /approve|承認/i.test(one));
}

/** An answer counts if the question was seen before; a prompt, unless the agent can have sent it. */
function isHeard(
  event: Event,
  { calls, proof }: { readonly calls: object; readonly proof?: { readonly scheduledAt?: number } },
): boolean {
  if (event.name === "UserPromptSubmit") return proof?.scheduledAt === undefined && !event.notification;
  return own(calls as Readonly<Record<string, unknown>>, event.call) !== undefined && !event.failed;
}
