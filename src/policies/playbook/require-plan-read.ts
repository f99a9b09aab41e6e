import type { HookEvent } from "../../kernel/event.ts";
import { askedOr } from "../../kernel/facts.ts";
import { definePolicy, type Example, type Known, pass, type Ruling, remember } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { clip, text } from "../../lib/text.ts";
import { changes } from "../../reading/operation/operation.ts";
import { boundSession } from "../../state/session/example-session.ts";
import type { Session } from "../../state/session/session.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { bash, edit, PLACE, read } from "../example.ts";
import { onlyReads, unreadWords } from "./plan-reading.ts";

/** Where `plan.read_first` says so, a conversation that has not read the approved plan may only look around. */
export const requirePlanRead = definePolicy({
  id: "require-plan-read",
  on: ["SessionStart", "PreToolUse", "PostToolUse"],
  needs: ["settings", "session", "planFile"],
  needsIf: { planFile: isOpen },
  ofTheMoment: true,
  why: text(
    "This conversation has not read the approved plan yet, so it does not know the current step.",
    "この会話は承認済みの計画をまだ読んでいないため、今のステップを知りません。",
  ),

  applies: (event, operation) =>
    event.name === "PostToolUse"
      ? event.tool.kind === "read" || event.tool.kind === "bash"
      : event.name === "SessionStart" || (operation !== undefined && changes(operation)),

  check({ event, operation, facts }) {
    const { settings, session } = facts;
    if (!isOn(settings)) return pass;
    // A resumed conversation still has what it read.
    if (event.name === "SessionStart")
      return event.source === "resume" || (session.proof?.plan ?? "") === ""
        ? pass
        : remember({ record: "proof", do: "plan", path: "" });
    const plan = askedOr(facts.planFile, null);
    if (!plan || hasRead(session, event.agent)) return pass;
    if (event.name === "PreToolUse")
      return operation && onlyReads(event.tool, operation, settings) ? pass : unreadWords(plan.path);
    return readIn(event, session) && plan.isShown ? shown(event.agent, plan.path) : pass;
  },

  get examples(): readonly Example[] {
    const path = ".sekisho/playbooks/button.md";
    const settings: Settings = { ...defaultSettings, plan: { ...defaultSettings.plan, read_first: "on" } };
    const given = { settings, planFile: { path, isShown: false } };
    const session = boundSession({ proof: { skills: {}, reads: {}, reviews: {}, approvals: {}, plan: path } });
    return [
      { expect: "deny", when: edit(`${PLACE}/a.ts`), given },
      { expect: "deny", when: bash("sed -i s/a/b/ a.ts"), given },
      { expect: "deny", when: bash("git status > a.ts"), given },
      { expect: "pass", when: bash(`cat ${path}`), given },
      { expect: "pass", when: bash("git switch -c topic"), given },
      { expect: "pass", when: read(`${PLACE}/a.ts`), given },
      { expect: "pass", when: edit(`${PLACE}/a.ts`), given: { ...given, session } },
      { expect: "pass", when: edit(`${PLACE}/a.ts`) },
    ];
  },
});

const AGENT_CHARS = 80;

function readIn({ call, failed, background }: HookEvent<"PostToolUse">, { calls }: Session): boolean {
  return own(calls, call) !== undefined && !failed && !background;
}

function shown(agent: HookEvent["agent"], path: string): Ruling {
  return agent
    ? remember({ record: "proof", do: "plan-read", agent: clip(agent.id, AGENT_CHARS) })
    : remember({ record: "proof", do: "plan", path });
}

/** What the conversation has read, it can tell its subagents. What a subagent has read, the conversation has not seen. */
function hasRead({ proof }: Session, agent: HookEvent["agent"]): boolean {
  if ((proof?.plan ?? "") !== "") return true;
  return agent !== undefined && own(proof?.planReaders ?? {}, clip(agent.id, AGENT_CHARS)) !== undefined;
}

/** Maintenance by an admin skips this, and nothing else of plans. */
function isOn({ plan, security }: Settings): boolean {
  return plan.read_first === "on" && security !== "admin";
}

function isOpen({ event, settings, session }: Known): boolean {
  return isOn(settings) && event.name !== "SessionStart" && !hasRead(session, event.agent);
}
