/** Recognises the different spellings of the same command. */
import { names, Rows } from "../../lib/name-table.ts";
import { placeOption } from "./placing.ts";

export interface ScriptCall {
  readonly script: string;
  /** Options of the package manager. */
  readonly own: readonly string[];
  /** Some of them select another directory or package. */
  readonly away: boolean;
  /** Arguments passed to the script. */
  readonly passed: readonly string[];
}

const MANAGERS = names("npm pnpm yarn bun composer deno");
const RUN = names("run run-script rum urn task");
/** Built-in subcommands whose name a script may also have. */
const OWN_VERBS = names(
  "bun:test bun:build deno:test deno:lint deno:check npm:audit pnpm:audit yarn:audit composer:audit yarn:workspace",
);

/** `npm test`, `npm run -s test`, `pnpm test`, `yarn run test`. */
export function scriptCall(words: readonly string[]): ScriptCall | undefined {
  const [manager = ""] = words;
  if (!MANAGERS.has(manager)) return undefined;
  const options: Options = { own: [], away: manager === "yarn" && words[1] === "workspace" };
  let at = pastOptions(words, options.away ? 3 : 1, options);
  const verb = words[at] ?? "";
  const isRun = RUN.has(verb) && (verb === "task") === (manager === "deno");
  if (isRun) at = pastOptions(words, at + 1, options);
  const script = isRun ? (words[at] ?? "") : shortFor(manager, verb);
  if (script === undefined || script === "") return undefined;
  const passed = behind(words, at + 1, options);
  return { script, ...options, passed };
}

function shortFor(manager: string, verb: string): string | undefined {
  if (OWN_VERBS.has(`${manager}:${verb}`)) return undefined;
  if (manager === "npm") return verb === "test" || verb === "t" || verb === "tst" ? "test" : undefined;
  return manager === "pnpm" && verb === "t" ? "test" : manager === "deno" ? undefined : verb;
}

interface Options {
  readonly own: string[];
  away: boolean;
}

function pastOptions(words: readonly string[], from: number, options: Options): number {
  let at = from;
  for (let word = words[at]; word?.startsWith("-") && word !== "--"; word = words[at]) {
    const place = placeOption(words[0], word, words[at + 1]);
    options.own.push(word);
    options.away ||= place !== undefined;
    at += place?.words ?? 1;
  }
  return at;
}

/** npm and composer keep options before `--` for themselves; the other managers pass everything on. */
function behind(words: readonly string[], from: number, options: Options): readonly string[] {
  const rest = words.slice(from);
  if (words[0] !== "npm" && words[0] !== "composer") return rest[0] === "--" ? rest.slice(1) : rest;
  const passed: string[] = [];
  for (let at = from; at < words.length; ) {
    if (words[at] === "--") return [...passed, ...words.slice(at + 1)];
    const next = pastOptions(words, at, options);
    if (next === at) passed.push(words[at] ?? "");
    at = next === at ? at + 1 : next;
  }
  return passed;
}

/** The program without its runner: `npx vitest`, `./node_modules/.bin/vitest`, `uv run pytest`. */
export function programOf(words: readonly string[], root: string): readonly string[] {
  let rest = words;
  for (let turn = 0; turn < 3; turn += 1) {
    const next = withoutRunner(rest);
    if (next === rest) break;
    rest = next;
  }
  const [name = "", ...args] = rest;
  const program = plainName(
    name.startsWith(`${root}/`)
      ? name.slice(root.length + 1)
      : name.startsWith("./")
        ? name.replace(/^\.\/(?=.*\/)/, "")
        : name,
  );
  if (program === "vitest")
    return [program, ...args.filter((arg, at) => arg !== "--run" && !(arg === "run" && at === 0))];
  if (program === "cargo") return [program, ...args.map((arg, at) => (at === 0 ? (CARGO[arg] ?? arg) : arg))];
  return [program, ...args];
}

const CARGO: Readonly<Record<string, string | undefined>> = { t: "test", b: "build", c: "check" };

function plainName(name: string): string {
  const placed = name.includes("/") ? /^(?:node_modules\/\.bin|\.?venv\/bin)\/([^/]+)$/.exec(name) : undefined;
  const own = placed?.[1] ?? name;
  return SAME.get(own) ?? own;
}

const SAME = new Rows(`
py.test: pytest
./gradlew: gradle
gradlew: gradle
./mvnw: mvn
mvnw: mvn
gmake: make
`);

function withoutRunner(words: readonly string[]): readonly string[] {
  const [name = "", verb = "", third = ""] = words;
  if (name === "npx" || name === "bunx" || name === "pnpx") {
    const start = /^(?:-y|--yes|--no|--no-install)$/.test(verb) ? 2 : 1;
    return words[start]?.startsWith("-") === false ? words.slice(start) : words;
  }
  if (verb === "-m" && third !== "" && /^(?:python[\d.]*|py)$/.test(plainName(name))) return words.slice(2);
  if (!RUNNERS.has(`${name}:${verb}`))
    return (name === "yarn" || name === "pnpm") && /^[a-z]/.test(verb) ? words.slice(1) : words;
  const start = pastFlags(words, 2);
  return words[start]?.startsWith("-") === false ? words.slice(start) : words;
}

const RUNNERS = names(
  "npm:exec npm:x pnpm:exec yarn:exec yarn:run poetry:run uv:run pipenv:run pdm:run rye:run hatch:run bundle:exec bun:x",
);
/** Options of these runners that leave the program and its environment as they are. */
const RUNNER_FLAGS = names(
  "-- -q --quiet --frozen --locked --no-sync --offline --dev --all-extras --all-groups --no-progress --active",
);

function pastFlags(words: readonly string[], from: number): number {
  let at = from;
  while (RUNNER_FLAGS.has(words[at] ?? "")) at += 1;
  return at;
}
