import { answersByExitCode, mayFail } from "../../evidence/answers.ts";
import type { BatchCall, HookEvent, TaskNotification } from "../../kernel/event.ts";
import type { Facts } from "../../kernel/facts.ts";
import { toolMark } from "../../kernel/marks.ts";
import { definePolicy, remember } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { clip, text } from "../../lib/text.ts";
import { type Operation, operationOf } from "../../reading/operation/operation.ts";
import type { CallChange, CallOutcome, OpenCall } from "../../state/session/calls.ts";
import type { Session } from "../../state/session/session.ts";
import { using } from "../example.ts";

const ls = { kind: "bash", name: "Bash", command: "ls", background: false } as const;

/** Joins tool calls with their outcomes, by the host's id of the call. */
export const trackOutcome = definePolicy({
  id: "track-outcome",
  on: ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "SessionEnd"],
  needs: ["session", "places", "settings"],
  why: text(
    "What an action led to is known only from the host, once.",
    "操作の結果は、ホストの報告から一度だけ数える。",
  ),

  check({ event, operation, facts }) {
    switch (event.name) {
      case "PreToolUse":
        return event.call === "" ? remember() : remember(opened(event, operation, facts));
      case "PostToolUse":
        return remember(event.background ? { record: "call", do: "launch", id: event.call } : endOf(event, facts));
      case "PostToolUseFailure":
        return event.failed === false ? remember() : remember(endOf(event, facts));
      case "PostToolBatch":
        return remember(...neverBegan(event.calls, facts.session));
      case "UserPromptSubmit":
        return remember(...(event.notification ? [endOfTask(event.notification)] : []), ...leftOpen(facts.session));
      case "SessionEnd":
        return remember({ record: "call", do: "sweep" });
    }
  },

  examples: [
    { expect: "pass", when: using(ls) },
    { expect: "pass", when: using(ls, "PostToolUse") },
    { expect: "pass", when: { name: "PostToolBatch", calls: [{ id: "call-1", tool: "Bash" }] } },
  ],
});

function opened(
  event: HookEvent<"PreToolUse">,
  operation: Operation | undefined,
  { settings }: Pick<Facts, "settings">,
): CallChange {
  const answers = operation?.shell !== undefined && answersByExitCode(operation.shell);
  const isStrict = settings.profile.trust_gate === "domain";
  // A turn does not end to wait for a subagent's question; it waits for the subagent.
  const asks = event.tool.kind === "control" && event.tool.asks && event.agent === undefined;
  const mark = toolMark(event.tool, event.input);
  return {
    ...{ record: "call", do: "open", id: event.call, tool: event.tool.name },
    ...(mark !== undefined && { mark }),
    ...(event.agent && { aside: true as const }),
    ...(answers && { answers }),
    ...(!isStrict && operation && countedBy(operation)),
    ...(asks && { asks }),
  };
}

/** How the outcome counts unless a profile wants the strict reading: each failure costs, and a line counts once. */
function countedBy({ shell, class: kind, domain, parts, looks = [] }: Operation): Pick<OpenCall, "spared" | "also"> {
  const isSpared = kind === "read" || (shell ? mayFail(shell) : kind === "write");
  const domains = new Set([...parts.map((part) => part.domain), ...looks].filter((one) => one !== domain));
  const also = [...domains].slice(0, ALSO_MAX);
  return { ...(isSpared && { spared: true }), ...(also.length > 0 && { also }) };
}

const ALSO_MAX = 3;

/** A call that began before our hooks were installed has no PreToolUse, so its domain is determined now. */
function endOf(event: HookEvent<"PostToolUse" | "PostToolUseFailure">, { session, places }: Known): CallChange {
  const call = own(session.calls, event.call);
  const exitCode = event.name === "PostToolUse" ? undefined : event.exitCode;
  const end = ended(event.call, outcomeOf(event, call), exitCode);
  if (call || event.call === "" || session.settled.includes(event.call)) return end;
  const { domain } = operationOf(event.tool, { cwd: event.cwd, home: places.home });
  return { ...end, domain };
}

type Known = Pick<Facts, "session" | "places">;

function outcomeOf(event: HookEvent<"PostToolUse" | "PostToolUseFailure">, call: OpenCall | undefined): CallOutcome {
  if (event.name === "PostToolUse") return event.failed ? "failure" : "success";
  if (event.interrupted) return "interrupted";
  // A `grep` that finds nothing has still succeeded.
  const isAnswer = event.exitCode === 1 && call?.answers === true;
  return isAnswer ? "success" : "failure";
}

function ended(id: string, outcome: CallOutcome, exitCode?: number): Extract<CallChange, { do: "close" }> {
  return { record: "call", do: "close", id, outcome, ...(exitCode !== undefined && { exitCode }) };
}

/** A background call is pending until the host reports its end, which is the only proof of its outcome. */
function endOfTask({ call, status, exitCode }: TaskNotification): CallChange {
  const outcome = status === "completed" ? "success" : status === "failed" ? "failure" : "interrupted";
  return ended(call, outcome, exitCode);
}

/** A question that is interrupted, or answered by another prompt, fires no event at its end. */
function leftOpen({ calls }: Session): CallChange[] {
  return Object.entries(calls)
    .flatMap(([id, { asks }]) => (asks ? [ended(id, "interrupted")] : []))
    .slice(0, LEFT_MAX);
}

const LEFT_MAX = 5;

/** Keeps records small; the rest of a larger batch is closed when the session ends. */
const CHARS_MAX = 1400;

/**
 * Only the batch lists calls that fired no other event: an open call was refused elsewhere, an unknown one was invalid.
 */
function neverBegan(calls: readonly BatchCall[], session: Session): CallChange[] {
  const isQuestion = ({ id }: BatchCall): boolean => own(session.calls, id)?.asks === true;
  // Questions first, because an open question would let every Stop pass.
  const inOrder = [...calls.filter(isQuestion), ...calls.filter((call) => !isQuestion(call))];
  const ends = inOrder.flatMap(({ id, tool }): CallChange[] => {
    const open = own(session.calls, id);
    if (open) return open.background ? [] : [ended(id, "refused")];
    const isKnown = id === "" || session.settled.includes(id);
    return isKnown ? [] : [{ record: "call", do: "close", id, outcome: "invalid", tool: clip(tool, 60) }];
  });
  let chars = 0;
  return ends.filter((end) => {
    chars += JSON.stringify(end).length;
    return chars <= CHARS_MAX;
  });
}
