/**
 * What a run of a check looked at, as paths below the root: "" is everything, a name with a slash at its end a directory,
 * any other a file. A run on a part shows nothing about the rest, but it may cover what was changed.
 */
import { names, Rows } from "../../lib/name-table.ts";
import { absolute, baseName, within } from "../../lib/paths.ts";
import type { Step } from "../../reading/shell/proof/state.ts";
import type { CheckName } from "../../state/check-names.ts";
import { GOALS, type Kind, kindOf } from "./kinds.ts";

/** What only a look at the project tells. */
export interface Sources {
  /** The directory of a package of the workspace, below the root; undefined if there is none. */
  directoryOf(name: string): string | undefined;
  /** True if all files that this tool looks at are in these places. */
  areAll(paths: readonly string[], program: string): boolean;
  /** The project's tasks are as they were when the session began, so their names can be believed. */
  readonly areTasksKnown: boolean;
}

export interface Coverage {
  readonly checks: readonly CheckName[];
  readonly covers: readonly string[];
}

/** Undefined if the command is no check, was narrowed by something else than paths, or ran outside of the root. */
export function coverageOf(step: Step, root: string, sources: Sources): Coverage | undefined {
  const kind = step.open || step.cwd === undefined ? undefined : kindOf(step.words, root);
  if (!kind || (kind.byName && !sources.areTasksKnown)) return undefined;
  const places = placesOf(kind, step.cwd ?? root, root, sources);
  const paths = pathsIn(kind)?.map((path) => (path.startsWith(`${root}/`) ? path.slice(root.length) : path));
  if (places === undefined || paths === undefined) return undefined;
  const all = places.flatMap((place) => (paths.length === 0 ? [place] : paths.map((path) => below(place, path))));
  return { checks: kind.checks, covers: [...new Set(all)] };
}

/** Below the root, each "" or with a slash at its end. */
function placesOf(
  { dirs, packages }: Kind,
  cwd: string,
  root: string,
  { directoryOf }: Sources,
): readonly string[] | undefined {
  const named = packages.map((name) => directoryOf(name.replace(/^\.{3}|\.{3}$/g, "")));
  const own = dirs.reduce((at: string | undefined, dir) => absolute(dir, at), cwd);
  if (named.includes(undefined) || own === undefined || !within(own, root)) return undefined;
  const here = own === root ? "" : `${own.slice(root.length + 1)}/`;
  return packages.length === 0 ? [here] : (named as string[]).map((dir) => `${dir}/`);
}

/** Undefined if something else than paths narrows the run. */
function pathsIn({ program, args }: Kind): readonly string[] | undefined {
  // What follows belongs to the tests or to the linter.
  const end = program === "cargo" && args.includes("--") ? args.indexOf("--") : args.length;
  const own = args.slice(0, end);
  const options = own.filter((word) => word.startsWith("-")).map((word) => word.replace(/=.*$/s, ""));
  if (options.some((option) => isNarrowing(program, option))) return undefined;
  const words = own.filter(
    (word, at) => !word.startsWith("-") && !VALUED.has(own[at - 1] ?? "") && !/^\d+$/.test(word),
  );
  if (GOALS.has(program)) return [];
  return words.some((word) => program === "cargo" || word.includes("::")) ? undefined : words;
}

function isNarrowing(program: string, option: string): boolean {
  return [program, "*"].some((name) => NARROWING.get(name)?.split(" ").includes(option));
}

/** Options by which only some of the tests run, or none. */
const NARROWING = new Rows(`
*: -t -g --grep --testNamePattern --test-name-pattern --changed --onlyChanged --related --shard --list --listTests
  --passWithNoTests --pass-with-no-tests --version --help --dry-run --exit-zero --if-present --init --print-config
pytest: -k -m --lf --last-failed --deselect --collect-only --co --ignore --exitfirst-only
go: -run -skip -c -n -list -h
cargo: --no-run --lib --bin --bins --test --tests --doc --example --examples --bench --list --exclude
mix: --only --exclude --failed --stale
dotnet: --filter --list-tests --no-build
gradle: --tests -x --exclude-task -m
mvn: -Dtest -DskipTests -Dmaven.test.skip
rspec: -e --example --tag
bazel: --test_filter --test_tag_filters
make: -n -i -t -q
`);

/** Options whose value is the next word. */
const VALUED = names(
  "-c --config -p --project --rootdir --cov-config --reporter --reporters --format -f -o --output --output-format --output-file --tb --maxfail --durations -W -j --jobs --numprocesses -timeout -count -tags -coverprofile -parallel --exclude --ignore-pattern --ext --cache-location --max-warnings --testTimeout --pool -e --env --target --features --profile --color --log-level --log-cli-level --timeout --browser --workers --maxWorkers --rule --select --extend-select --python-version --package-path --environment --mode -r --require",
);

/** The paths among the words of a tool; undefined if it is none, or something else narrows the run. */
export function pathsOf(words: readonly string[]): readonly string[] | undefined {
  const kind = kindOf(words, "/");
  return kind === undefined || kind.byName ? undefined : pathsIn(kind);
}

/** A path from the root begins with a slash. */
export function below(place: string, path: string): string {
  const bare = path.replace(/\/?\.{3}$/, "/").replace(/[^/]*[*?[{].*$/s, "");
  const name = (absolute(bare === "" ? "." : bare, `/${place}`) ?? "/..").replace(/^\/+|\/+$/g, "");
  if (name === "") return "";
  return /\.\w+$/.test(baseName(name)) && !bare.endsWith("/") ? name : `${name}/`;
}
