/** Prompts that the client will send by itself, whoever has put them into its file: they come like a person's. */
import type { HookEvent } from "../kernel/event.ts";
import { sentWords } from "../kernel/persons-prompt.ts";
import type { Environment } from "./places.ts";
import { plainText } from "./plain-file.ts";

const FILE = ".claude/scheduled_tasks.json";
/** More the client does not read either. */
const BYTES_MAX = 1024 * 1024;
const PROMPTS_MAX = 100;

/** How each would be known again. Nothing is looked at but at a prompt. */
export function scheduledPrompts(
  { name }: HookEvent,
  { env, project }: { readonly env: Environment; readonly project: string },
): readonly string[] {
  if (name !== "UserPromptSubmit" && name !== "UserPromptExpansion") return [];
  const begun = env["CLAUDE_PROJECT_DIR"];
  const roots = [project, ...(begun?.startsWith("/") ? [begun] : [])];
  return [...new Set(roots)].flatMap((root) => promptsIn(plainText(`${root}/${FILE}`, BYTES_MAX) ?? ""));
}

function promptsIn(text: string): readonly string[] {
  if (text === "") return [];
  try {
    const { tasks } = JSON.parse(text) as { tasks?: unknown };
    const all = (Array.isArray(tasks) ? tasks : []) as readonly ({ prompt?: unknown } | null)[];
    return all
      .slice(0, PROMPTS_MAX)
      .flatMap((task) => (typeof task?.prompt === "string" ? sentWords(task.prompt) : []));
  } catch (error) {
    // The client cannot read it either.
    void error;
    return [];
  }
}
