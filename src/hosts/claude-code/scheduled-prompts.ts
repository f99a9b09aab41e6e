/** Prompts that the host will send on a schedule: they look like a person's, no matter what put them into its file. */

import { plainText } from "../../disk/plain-file.ts";
import { sentWords } from "../../kernel/persons-prompt.ts";
import type { Looking } from "../../world/host.ts";
import { layout } from "./layout.ts";
import { traits } from "./traits.ts";

/** The host reads no more either. */
const BYTES_MAX = 1024 * 1024;
const PROMPTS_MAX = 100;

/** How each would be known again. */
export function scheduledPrompts({ env, places }: Pick<Looking, "env" | "places">): readonly string[] {
  const begun = env[layout.variables.project];
  const roots = [places.project, ...(begun?.startsWith("/") ? [begun] : [])];
  return [...new Set(roots)].flatMap((root) => promptsIn(plainText(root + traits.scheduleFile, BYTES_MAX) ?? ""));
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
    // The host cannot read the file either.
    void error;
    return [];
  }
}
