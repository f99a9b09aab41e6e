/** Recognises the different spellings of the same command. */
import { names, Rows } from "../../lib/name-table.ts";

export interface ScriptCall {
  readonly script: string;
  /** Options of the package manager. */
  readonly own: readonly string[];
  /** Arguments passed to the script. */
  readonly passed: readonly string[];
}

const MANAGERS = names("npm pnpm yarn bun composer deno");
const RUN = names("run run-script rum urn task");
/** Options that select another directory or package, each with a value. */
const AWAY_VALUE = names("--prefix -C --dir --cwd -w --workspace --filter -F --working-dir -d");
const AWAY = names("--workspaces -ws -r --recursive --include-workspace-root -g --global");
/** Built-in subcommands whose name a script may also have. */
const OWN_VERBS = names(
  "bun:test bun:build deno:test deno:lint deno:check npm:audit pnpm:audit yarn:audit composer:audit yarn:workspace",
);

/** `npm test`, `npm run -s test`, `pnpm test`, `yarn run test`. */
export function scriptCall(words: readonly string[]): ScriptCall | undefined {
  const [manager = ""] = words;
  if (!MANAGERS.has(manager)) return undefined;
  const own: string[] = [];
  let at = pastOptions(words, 1, own);
  if (manager === "yarn" && words[at] === "workspace") {
    own.push("--workspace=");
    at = pastOptions(words, at + 2, own);
  }
  const verb = words[at] ?? "";
  const isRun = RUN.has(verb) && (verb === "task") === (manager === "deno");
  if (isRun) at = pastOptions(words, at + 1, own);
  const script = isRun ? (words[at] ?? "") : shortFor(manager, verb);
  if (script === undefined || script === "") return undefined;
  return { script, own, ...behind(manager, words.slice(at + 1), own) };
}

function shortFor(manager: string, verb: string): string | undefined {
  if (OWN_VERBS.has(`${manager}:${verb}`)) return undefined;
  if (manager === "npm") return verb === "test" || verb === "t" || verb === "tst" ? "test" : undefined;
  return manager === "pnpm" && verb === "t" ? "test" : manager === "deno" ? undefined : verb;
}

function pastOptions(words: readonly string[], from: number, own: string[]): number {
  let at = from;
  for (let word = words[at]; word?.startsWith("-") && word !== "--"; word = words[at]) {
    const takesNext = AWAY_VALUE.has(word);
    own.push(takesNext ? `${word}=${words[at + 1] ?? ""}` : word);
    at += takesNext ? 2 : 1;
  }
  return at;
}

/** npm and composer keep options before `--` for themselves; the other managers pass everything on. */
function behind(manager: string, words: readonly string[], own: string[]): Pick<ScriptCall, "passed"> {
  if (manager !== "npm" && manager !== "composer") return { passed: words[0] === "--" ? words.slice(1) : words };
  const passed: string[] = [];
  for (let at = 0; at < words.length; ) {
    if (words[at] === "--") return { passed: [...passed, ...words.slice(at + 1)] };
    const next = pastOptions(words, at, own);
    if (next === at) passed.push(words[at] ?? "");
    at = next === at ? at + 1 : next;
  }
  return { passed };
}

/** True if the option selects another directory or package. */
export function leadsAway(option: string): boolean {
  return AWAY.has(option) || AWAY_VALUE.has(option.replace(/=.*$/s, ""));
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
    name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name.replace(/^\.\/(?=.*\/)/, ""),
  );
  if (program === "vitest")
    return [program, ...args.filter((arg, at) => arg !== "--run" && !(arg === "run" && at === 0))];
  if (program === "cargo") return [program, ...args.map((arg, at) => (at === 0 ? (CARGO[arg] ?? arg) : arg))];
  return [program, ...args];
}

const CARGO: Readonly<Record<string, string | undefined>> = { t: "test", b: "build", c: "check" };

function plainName(name: string): string {
  const own = /^(?:node_modules\/\.bin|\.?venv\/bin)\/([^/]+)$/.exec(name)?.[1] ?? name;
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
  if (/^(?:python[\d.]*|py)$/.test(plainName(name)) && verb === "-m" && third !== "") return words.slice(2);
  if (!RUNNERS.has(`${name}:${verb}`))
    return (name === "yarn" || name === "pnpm") && /^[a-z]/.test(verb) ? words.slice(1) : words;
  const start = third === "--" ? 3 : 2;
  return words[start]?.startsWith("-") === false ? words.slice(start) : words;
}

const RUNNERS = names(
  "npm:exec npm:x pnpm:exec yarn:exec yarn:run poetry:run uv:run pipenv:run pdm:run rye:run bundle:exec bun:x",
);
