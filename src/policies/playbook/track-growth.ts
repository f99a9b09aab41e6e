import type { HookEvent } from "../../kernel/event.ts";
import { askedOr, type HeadFound, NOT_ASKED } from "../../kernel/facts.ts";
import { isPersons } from "../../kernel/persons-prompt.ts";
import { definePolicy, type Example, pass, type Ruling, remember } from "../../kernel/policy.ts";
import { skipsPlan } from "../../language/approval.ts";
import { own } from "../../lib/keyed.ts";
import { text } from "../../lib/text.ts";
import type { Change } from "../../state/change.ts";
import type { OpenCall } from "../../state/session/calls.ts";
import type { Session } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";

/** Where the size of a change decides, the count begins with the person's request. */
export const trackGrowth = definePolicy({
  id: "track-growth",
  only: "growth",
  on: ["UserPromptSubmit", "PostToolUse"],
  needs: ["settings", "session", "head", "scheduled"],
  needsIf: {
    head: ({ event, settings, session }) =>
      settings.plan.required === "auto" && (event.name === "UserPromptSubmit" || isMoved(event, session)),
    scheduled: ({ event, settings }) => settings.plan.required === "auto" && event.name === "UserPromptSubmit",
  },
  why: text(
    "How much a request has grown into is counted from the request on.",
    "依頼がどこまで膨らんだかは、依頼の時点から数える。",
  ),

  check({ event, facts: { settings, session, head, scheduled } }) {
    if (settings.plan.required !== "auto") return pass;
    const found = head === NOT_ASKED ? undefined : (head as HeadFound);
    if (event.name === "PostToolUse") return onEnd(event, session, found);
    if (!found || !isPersons(event, session, askedOr(scheduled, []))) return pass;
    const request: Change = { record: "growth", do: "request", ...found };
    return skipsPlan(event.prompt) ? waived(request) : remember(request);
  },

  get examples(): readonly Example[] {
    const settings = { ...defaultSettings, plan: { ...defaultSettings.plan, required: "auto" as const } };
    const said = (prompt: string) => ({ name: "UserPromptSubmit", prompt }) as const;
    return [
      { expect: "pass", when: said("fix the typo"), given: { settings } },
      { expect: "pass", when: said("rename it everywhere, skip the plan"), given: { settings } },
      { expect: "pass", when: said("fix the typo") },
    ];
  },
});

function onEnd(event: HookEvent<"PostToolUse">, session: Session, head: HeadFound | undefined): Ruling {
  const call = own(session.calls, event.call);
  if (call && !event.failed && event.answers?.some(skipsPlan)) return waived();
  const moved: readonly Change[] = isMoved(event, session) && head ? [{ record: "growth", do: "moved", ...head }] : [];
  const passed: readonly Change[] = isPassed(event, call, session) ? [{ record: "growth", do: "passed" }] : [];
  return remember(...moved, ...passed);
}

function isMoved(event: HookEvent, { growth }: Session): boolean {
  return event.name === "PostToolUse" && event.call !== "" && growth?.moving === event.call;
}

const PROVING: ReadonlySet<string> = new Set(["shell_exec", "test_run"]);

/** More than a look around. Before anything has changed nothing needs to be shown. */
function isPassed(event: HookEvent<"PostToolUse">, call: OpenCall | undefined, { growth }: Session): boolean {
  if (!growth || event.failed || event.background || event.answered || event.tool.kind !== "bash") return false;
  return call?.domain !== undefined && PROVING.has(call.domain);
}

function waived(...changes: readonly Change[]): Ruling {
  return {
    ...remember(...changes, { record: "growth", do: "waive" }),
    notices: [text("no plan is asked for until your next prompt.", "次の指示まで計画は求めません。")],
  };
}
