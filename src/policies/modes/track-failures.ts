import type { HookEvent } from "../../kernel/event.ts";
import { repeatedFailure } from "../../kernel/mode-progress.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { maskText } from "../../lib/secrets.ts";
import { inline, text } from "../../lib/text.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { modesInForce } from "../../state/session/modes.ts";
import { exampleMode, using } from "../example.ts";

/** In a mode, the third equal failure of any command is a sign that the way is wrong, whoever leads the next refusal. */
export const trackFailures = definePolicy({
  id: "track-failures",
  on: ["PostToolUse", "PostToolUseFailure"],
  needs: ["session", "now"],
  why: text(
    "The same command with the same failure three times shows a problem of structure, not of detail.",
    "同じコマンドの同じ失敗が三回続くのは、細部ではなく構造の問題です。",
  ),

  applies: ({ tool }) => tool.kind === "bash",

  check({ event, facts: { session, now } }) {
    const modes = modesInForce(session.modes, now);
    // Masking the command costs more than all else here.
    const command = modes.length === 0 ? "" : commandOf(event);
    if (command === "") return pass;
    const known = modes.flatMap(({ failures = [] }) => failures);
    if (!hasFailed(event, own(session.calls, event.call)?.answers === true)) {
      const isRepaired = known.some((one) => one.startsWith(`${command}: `));
      return isRepaired ? remember({ record: "mode", do: "recover", command }) : pass;
    }
    const failure = `${command}: ${errorOf(event)}`;
    const [first] = modes;
    const isThird = repeatedFailure([...(first?.failures ?? []), failure]) === failure;
    const isNew = isThird && repeatedFailure(first?.failures) !== failure;
    return { ...remember({ record: "mode", do: "fail", failure }), ...(isNew && { notes: [told(failure)] }) };
  },

  get examples() {
    const make = { kind: "bash", name: "Bash", command: "make", background: false } as const;
    const when = { ...using(make, "PostToolUseFailure"), error: "Exit code 2\nmake: no rule" } as const;
    const session = boundSession({ modes: { persistent: exampleMode } });
    return [
      { expect: "pass", when },
      { expect: "pass", when, given: { session } },
    ] as const;
  },
});

type Ended = HookEvent<"PostToolUse" | "PostToolUseFailure">;

const COMMAND_CHARS = 60;
const ERROR_CHARS = 100;

function commandOf({ tool }: Ended): string {
  return tool.kind === "bash" ? inline(maskText(tool.command.slice(0, 1000)), COMMAND_CHARS) : "";
}

/** A search that finds nothing has not failed, and an interruption says nothing. */
function hasFailed(event: Ended, answers: boolean): boolean {
  if (event.name === "PostToolUse") return event.failed;
  return !event.interrupted && event.failed !== false && !(answers && event.exitCode === 1);
}

/** The line that names the error, without times, which differ from run to run. */
function errorOf(event: Ended): string {
  const lines = (event.error ?? "")
    .slice(0, 4000)
    .split("\n")
    .map((line) => line.trim());
  const telling = lines.filter((line) => line !== "" && !/^Exit code \d+$/.test(line));
  const line = telling.find((one) => /error|fail|exception|not found|cannot|can't|denied|assert|no such/i.test(one));
  const words = (line ?? telling.at(-1) ?? lines[0] ?? "").replace(/\d+(?:\.\d+)?\s?m?s\b/g, "");
  return inline(maskText(words), ERROR_CHARS);
}

function told(failure: string): ReturnType<typeof text> {
  return text(
    `Sekisho: the same failure for the third time (${failure}). Don't repeat it: find the cause first, then take another way.`,
    `関所: 同じ失敗が三回目です (${failure})。繰り返さず、先に原因を調べ、別の方法を取ってください。`,
  );
}
