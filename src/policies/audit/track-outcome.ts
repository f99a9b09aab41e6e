import { answersByExitCode } from "../../kernel/answers.ts";
import type { BatchCall, HookEvent, TaskNotification } from "../../kernel/event.ts";
import type { Facts } from "../../kernel/facts.ts";
import { type Operation, operationOf } from "../../kernel/operation.ts";
import { definePolicy, remember } from "../../kernel/policy.ts";
import { clip, text } from "../../kernel/text.ts";
import type { CallChange, OpenCall, Outcome } from "../../state/calls.ts";
import { own } from "../../state/keyed.ts";
import type { Session } from "../../state/session.ts";
import { using } from "../example.ts";

const ls = { kind: "bash", name: "Bash", command: "ls", background: false } as const;

/** Joins what was asked with what came of it, by the host's id of the tool use. */
export const trackOutcome = definePolicy({
  id: "track-outcome",
  on: ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "SessionEnd"],
  needs: ["session", "places"],
  why: text(
    "What an action led to is known only from the host, once.",
    "操作の結果は、ホストの報告から一度だけ数える。",
  ),

  check({ event, operation, facts }) {
    switch (event.name) {
      case "PreToolUse":
        return event.call === "" ? remember() : remember(opened(event, operation));
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

function opened(event: HookEvent<"PreToolUse">, operation: Operation | undefined): CallChange {
  const answers = operation?.shell !== undefined && answersByExitCode(operation.shell);
  // Nobody ends a turn to wait for what a subagent asks: it waits for the subagent.
  const asks = event.tool.kind === "control" && event.tool.asks && event.agent === undefined;
  return {
    ...{ record: "call", do: "open", id: event.call, tool: event.tool.name },
    ...(answers && { answers }),
    ...(asks && { asks }),
  };
}

/** What was running before our hooks were there is not known by its gate; it is read now. */
function endOf(event: HookEvent<"PostToolUse" | "PostToolUseFailure">, { session, places }: Known): CallChange {
  const call = own(session.calls, event.call);
  const exitCode = event.name === "PostToolUse" ? undefined : event.exitCode;
  const end = ended(event.call, outcomeOf(event, call), exitCode);
  if (call || event.call === "" || session.settled.includes(event.call)) return end;
  const { domain } = operationOf(event.tool, { cwd: event.cwd, home: places.home });
  return { ...end, domain };
}

type Known = Pick<Facts, "session" | "places">;

function outcomeOf(event: HookEvent<"PostToolUse" | "PostToolUseFailure">, call: OpenCall | undefined): Outcome {
  if (event.name === "PostToolUse") return event.failed ? "failure" : "success";
  if (event.interrupted) return "interrupted";
  // `grep` that finds nothing has done what it was asked.
  const isAnswer = event.exitCode === 1 && call?.answers === true;
  return isAnswer ? "success" : "failure";
}

function ended(id: string, outcome: Outcome, exitCode?: number): Extract<CallChange, { do: "close" }> {
  return { record: "call", do: "close", id, outcome, ...(exitCode !== undefined && { exitCode }) };
}

/** A launch is pending until the client reports its end, and that is the only proof of how it went. */
function endOfTask({ call, status, exitCode }: TaskNotification): CallChange {
  const outcome = status === "completed" ? "success" : status === "failed" ? "failure" : "interrupted";
  return ended(call, outcome, exitCode);
}

/** Whoever answers a question by another prompt, or breaks it off, leaves it open: no event tells of its end. */
function leftOpen({ calls }: Session): CallChange[] {
  return Object.entries(calls)
    .flatMap(([id, { asks }]) => (asks ? [ended(id, "interrupted")] : []))
    .slice(0, LEFT_MAX);
}

const LEFT_MAX = 5;

/** A record is small; of a larger batch the rest is swept when the session ends. */
const CHARS_MAX = 1400;

/** Only the batch lists calls that fired no other event: still open means refused elsewhere, never seen means invalid. */
function neverBegan(calls: readonly BatchCall[], session: Session): CallChange[] {
  const isQuestion = ({ id }: BatchCall): boolean => own(session.calls, id)?.asks === true;
  // An open question would free the end of every turn.
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
