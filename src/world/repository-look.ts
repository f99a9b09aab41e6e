/** How a repository stands, in a few lines: its branch, its last commits, and what is not committed. */
import type { GitSite } from "../kernel/git-site.ts";
import type { Errand, RunErrand } from "./errand.ts";
import { gitErrand } from "./git.ts";
import type { Environment } from "./places.ts";
import { plainText } from "./plain-file.ts";
import { workTreeOf } from "./work-tree.ts";

export interface RepositoryLook {
  readonly branch?: string;
  /** Newest first. */
  readonly commits?: readonly string[];
  /** Staged, changed and new, each once. */
  readonly uncommitted?: readonly string[];
}

interface Looking {
  readonly env: Environment;
  readonly project: string;
  readonly run: RunErrand | undefined;
  /** All of it together is over by then, on the same clock. */
  readonly deadline: number;
  readonly clock: () => number;
}

type Ask = (args: readonly string[]) => string | undefined;

/** What cannot be seen is left out, and takes nothing else with it. */
export function repositoryLook(root: string, from: Looking, commits: number): RepositoryLook {
  const own = workTreeOf(root)?.own;
  if (own === undefined) return {};
  const ask = asker({ directory: root }, from);
  const branch = branchIn(plainText(`${own}/HEAD`, HEAD_BYTES_MAX) ?? "");
  const log = ask(["log", `--max-count=${commits}`, "--format=%h %s", ...PLAIN, "--no-show-signature", "--"]);
  const uncommitted = uncommittedIn(ask);
  return {
    ...(branch !== undefined && { branch }),
    ...(log !== undefined && { commits: log.split("\n").filter((line) => line !== "") }),
    ...(uncommitted && { uncommitted }),
  };
}

const HEAD_BYTES_MAX = 4096;
const FILTERS_MAX = 100;
const PLAIN = ["--no-color", "--no-notes", "--no-decorate", "--no-ext-diff", "--no-textconv"];
const NAMES = ["--name-only", "-z", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-relative"];

function branchIn(head: string): string | undefined {
  const [, branch] = /^ref: refs\/heads\/(.+)\s*$/.exec(head) ?? [];
  // A repository whose branches stand in a table that only git can read names this one.
  if (branch !== undefined) return branch === ".invalid" ? undefined : branch;
  return /^[0-9a-f]{40,64}\s*$/.test(head) ? `(detached at ${head.slice(0, 7)})` : undefined;
}

/** Where one of the three cannot be seen, their number is not known. */
function uncommittedIn(ask: Ask): readonly string[] | undefined {
  const staged = ask(["diff", "--cached", ...NAMES, "--ignore-submodules=dirty", "--"]);
  const filters = filtersIn(ask(["config", "--list", "--name-only", "-z"]));
  if (staged === undefined || !filters) return undefined;
  const changed = ask([...filters, "diff-files", ...NAMES, "--ignore-submodules=all", "--"]);
  const fresh = ask(["ls-files", "--others", "--exclude-standard", "--directory", "--no-empty-directory", "-z", "--"]);
  if (changed === undefined || fresh === undefined) return undefined;
  return [...new Set([staged, changed, fresh].flatMap((names) => names.split("\0").filter((name) => name !== "")))];
}

/** To compare a file that was just written git reads it through the filters that the settings name; not for us. */
function filtersIn(names: string | undefined): readonly string[] | undefined {
  const set = names?.split("\0").flatMap((name) => /^filter\.([\s\S]+)\.[^.]+$/i.exec(name)?.[1] ?? []);
  // Such a name cannot be spelled on a command line: then nobody looks.
  if (!set || set.some((name) => name.includes("=")) || set.length > FILTERS_MAX) return undefined;
  const off = (name: string): readonly string[] =>
    ["clean=", "process=", "required=false"].flatMap((value) => ["-c", `filter.${name}.${value}`]);
  return [...new Set(set)].flatMap(off);
}

function asker(site: GitSite, { env, project, run, deadline, clock }: Looking): Ask {
  return (args) => {
    const timeMs = Math.round(deadline - clock());
    const errand: Errand | undefined = timeMs > 0 ? gitErrand(site, args, { env, project, timeMs }) : undefined;
    const outcome = errand && run ? run(errand) : undefined;
    return outcome && "text" in outcome ? whole(outcome) : undefined;
  };
}

/** The last of a list that was cut may be half a name. */
function whole({ text, cut }: { readonly text: string; readonly cut: boolean }): string {
  return cut ? text.slice(0, Math.max(text.lastIndexOf("\0"), text.lastIndexOf("\n")) + 1) : text;
}
