/** Asks git several questions about one repository, within one time limit. */
import { run, type Steps } from "../../kernel/effect.ts";
import type { GitSite } from "../../reading/operation/git-site.ts";
import { gitRun } from "./git.ts";
import type { Environment } from "./places.ts";

export interface Asking {
  readonly env: Environment;
  readonly project: string;
  /** Deadline for all questions together, on the same clock. */
  readonly deadline: number;
  readonly clock: () => number;
}

/**
 * Undefined when git is missing, fails or takes too long. A long answer is cut, unless the question has a limit of its
 * own: then a longer one counts as none.
 */
export type Ask = (args: readonly string[], bytesMax?: number) => Steps<string | undefined>;

export function asker(site: GitSite, { env, project, deadline, clock }: Asking): Ask {
  return function* (args, bytesMax) {
    const timeMs = Math.round(deadline - clock());
    const program = timeMs > 0 ? gitRun(site, args, { env, project, timeMs }) : undefined;
    const result = program && (yield* run({ ...program, ...(bytesMax !== undefined && { bytesMax }) }));
    if (!result || !("text" in result) || (result.cut && bytesMax !== undefined)) return undefined;
    return whole(result);
  };
}

/** The last entry of truncated output may be incomplete. */
function whole({ text, cut }: { readonly text: string; readonly cut: boolean }): string {
  return cut ? text.slice(0, Math.max(text.lastIndexOf("\0"), text.lastIndexOf("\n")) + 1) : text;
}

const FILTERS_MAX = 100;

/**
 * Options that disable the configured filters, from the names of all settings: git would run them to compare changed
 * files. Undefined if one can't be disabled.
 */
export function filtersOff(names: string | undefined): readonly string[] | undefined {
  const set = names?.split("\0").flatMap((name) => /^filter\.([\s\S]+)\.[^.]+$/i.exec(name)?.[1] ?? []);
  // A filter name with `=` cannot be passed with `-c`, so the lookup is skipped.
  if (!set || set.some((name) => name.includes("=")) || set.length > FILTERS_MAX) return undefined;
  const off = (name: string): readonly string[] =>
    ["clean=", "process=", "required=false"].flatMap((value) => ["-c", `filter.${name}.${value}`]);
  return [...new Set(set)].flatMap(off);
}
