/** The person's last prompts, from the host's transcript. */
import type { HookEvent } from "../../kernel/event.ts";
import { isPersons } from "../../kernel/persons-prompt.ts";
import type { Session } from "../../state/session/session.ts";
import { tailLines } from "./transcript-tail.ts";

/** The prompt text in a transcript line; undefined for other lines. */
export type ReadPrompt = (line: string) => string | undefined;

const BYTES_MAX = 4 * 1024 * 1024;
const USER = '"user"';
const RESULT = '"tool_result"';

/** Oldest first. */
export function lastPrompts(
  event: HookEvent<"PreCompact">,
  session: Session,
  readPrompt: ReadPrompt,
  max: number,
): readonly string[] {
  const lines = tailLines(event.transcript, BYTES_MAX);
  const prompts: string[] = [];
  for (let at = lines.length - 1; at >= 0 && prompts.length < max; at--) {
    const line = lines[at] ?? "";
    // Most lines are irrelevant, and a substring search is cheaper than parsing.
    const prompt = line.includes(USER) && !line.includes(RESULT) ? readPrompt(line) : undefined;
    if (prompt !== undefined && isPersons({ ...event, name: "UserPromptSubmit", prompt }, session))
      prompts.unshift(prompt);
  }
  return prompts;
}
