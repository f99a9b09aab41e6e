/**
 * Finds skills that settings require but that are not installed; the rules that need them are off until a person
 * installs them.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { missingSkills } from "../../evidence/default-rules.ts";
import type { Places } from "../../kernel/facts.ts";
import { host } from "../host.ts";
import type { Here } from "../project.ts";

export interface SkillsLack {
  readonly words: string;
  /** The install command for the person; undefined when the skills were not shipped with this program. */
  readonly command?: string;
}

export function skillsLack({ places, settings, program }: Here): SkillsLack | undefined {
  const missing = missingSkills(settings.settings, skillsHere(places));
  if (missing.length === 0) return undefined;
  const words = `what asks for the skills ${missing.join(", ")} is off: they are not here.`;
  const shipped = shippedAt(program.bundle, missing);
  if (shipped === undefined) return { words };
  const { skillsDirectory } = host.traits;
  return {
    words: `${words} They come with Sekisho:`,
    command: `mkdir -p ${skillsDirectory} && cp -R '${shipped}/.' ${skillsDirectory}/`,
  };
}

/** The skills that a session in this directory can load. */
export function skillsHere(places: Places): readonly string[] {
  return host.skillsOf?.({ env: process.env, places, event: { cwd: process.cwd() } }) ?? [];
}

/** Looks in the package and in the plugin. */
export function shippedAt(bundle: string, names: readonly string[]): string | undefined {
  const root = dirname(dirname(bundle));
  const places = [join(root, "plugin", "skills"), join(root, "skills")];
  return places.find((place) => names.some((name) => existsSync(join(place, name, "SKILL.md"))));
}
