import type { BatchCall, TaskNotification } from "../../kernel/event.ts";
import { definePolicy, remember } from "../../kernel/policy.ts";
import { clip, text } from "../../kernel/text.ts";
import { type CallChange, type Outcome, own, type Session } from "../../state/session.ts";
import { using } from "../example.ts";

const ls = { kind: "bash", name: "Bash", command: "ls", background: false } as const;

/** Joins what was asked with what came of it, by the host's id of the tool use. */
export const trackOutcome = definePolicy({
  id: "track-outcome",
  on: ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "SessionEnd"],
  needs: ["session"],
  why: text(
    "What an action led to is known only from the host, once.",
    "操作の結果は、ホストの報告から一度だけ数える。",
  ),

  check({ event, facts }) {
    switch (event.name) {
      case "PreToolUse":
        return event.call === ""
          ? remember()
          : remember({ record: "call", do: "open", id: event.call, tool: event.tool.name });
      case "PostToolUse":
        return remember(
          event.background ? { record: "call", do: "launch", id: event.call } : ended(event.call, "success"),
        );
      case "PostToolUseFailure":
        return remember(ended(event.call, event.interrupted ? "interrupted" : "failure", event.exitCode));
      case "PostToolBatch":
        return remember(...neverBegan(event.calls, facts.session));
      case "UserPromptSubmit":
        return event.notification ? remember(endOfTask(event.notification)) : remember();
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

function ended(id: string, outcome: Outcome, exitCode?: number): CallChange {
  return { record: "call", do: "close", id, outcome, ...(exitCode !== undefined && { exitCode }) };
}

/** A launch is pending until the client reports its end, and that is the only proof of how it went. */
function endOfTask({ call, status, exitCode }: TaskNotification): CallChange {
  const outcome = status === "completed" ? "success" : status === "failed" ? "failure" : "interrupted";
  return ended(call, outcome, exitCode);
}

/** A record is small; of a larger batch the rest is swept when the session ends. */
const CHARS_MAX = 1400;

/** Only the batch lists calls that fired no other event: still open means refused elsewhere, never seen means invalid. */
function neverBegan(calls: readonly BatchCall[], session: Session): CallChange[] {
  const ends = calls.flatMap(({ id, tool }): CallChange[] => {
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
