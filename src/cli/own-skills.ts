/** Skills that the settings ask for and nobody has here: what asks for them is off, and a person must hear how to come by them. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { missingSkills } from "../kernel/default-rules.ts";
import { skillsOf } from "../world/skills.ts";
import type { Here } from "./here.ts";

export interface SkillsLack {
  readonly words: string;
  /** What a person runs in the project; undefined when the skills did not come with this program. */
  readonly command?: string;
}

export function skillsLack({ places, settings, program }: Here): SkillsLack | undefined {
  const skills = skillsOf({ env: process.env, places, event: { cwd: process.cwd() } });
  const missing = missingSkills(settings.settings, skills);
  if (missing.length === 0) return undefined;
  const words = `what asks for the skills ${missing.join(", ")} is off: they are not here.`;
  const shipped = shippedAt(program.bundle, missing);
  if (shipped === undefined) return { words };
  return {
    words: `${words} They come with Sekisho:`,
    command: `mkdir -p .claude/skills && cp -R '${shipped}/.' .claude/skills/`,
  };
}

/** In the package, or in the plugin. */
export function shippedAt(bundle: string, names: readonly string[]): string | undefined {
  const root = dirname(dirname(bundle));
  const places = [join(root, "plugin", "skills"), join(root, "skills")];
  return places.find((place) => names.some((name) => existsSync(join(place, name, "SKILL.md"))));
}
