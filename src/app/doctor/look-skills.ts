/** Checks that the skills for the keywords exist. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { KEYWORD_SKILLS } from "../../policies/modes/keyword-skills.ts";
import { host } from "../host.ts";
import { shippedAt } from "../queries/skills.ts";
import { type Check, type Finding, ok } from "./check.ts";

export const keywordSkills: Check = {
  id: "keyword-skills",
  title: "Skills of keywords",
  look({ env, places, program }) {
    const wanted = Object.values(KEYWORD_SKILLS).map(({ skill }) => skill);
    const there = host.skillsOf?.({ env, places, event: { cwd: places.project } }) ?? [];
    const missing = wanted.filter((name) => !there.includes(`sekisho:${name}`) && !there.includes(name));
    if (missing.length === 0) return ok(`all ${wanted.length} are here`);
    if (there.some((name) => name.startsWith("sekisho:"))) return lacking(missing, "the plugin that is loaded here");
    const shipped = shippedAt(program.bundle, wanted);
    const unshipped = wanted.filter((name) => shipped && !existsSync(join(shipped, name, "SKILL.md")));
    if (shipped && unshipped.length > 0) return lacking(unshipped, shipped);
    // Hooks without the plugin are a complete installation: each keyword falls back to a short instruction.
    return ok("the plugin is not loaded here: keywords give short instructions instead");
  },
};

function lacking(names: readonly string[], place: string): Finding {
  return {
    state: "warn",
    what: `missing in ${place}: ${names.join(", ")}`,
    why: "A keyword without its skill only gives a short instruction.",
    fix: "The plugin is damaged or older than this program: install it again, or update it.",
  };
}
