/** Runs the project's linters over the files that were changed, before a commit. The verdict stands whatever they find. */
import { existsSync } from "node:fs";
import { type ProgramRun, run, type Steps } from "../kernel/effect.ts";
import { isUnknown } from "../kernel/facts.ts";
import type { Job } from "../kernel/job.ts";
import { inline, type Text, text } from "../lib/text.ts";
import { isLintedBy } from "../reading/operation/lint-commands.ts";
import { LINTERS, type Linter } from "../state/session/lint.ts";
import { searchPath } from "../world/machine/git.ts";
import { asker } from "../world/machine/git-asking.ts";
import { rootOf } from "../world/machine/work-tree.ts";
import { changedIn } from "./formatting.ts";
import type { JobContext, JobResult } from "./job.ts";

const LINT_MS_MAX = 8_000;
/** Left for writing the answer. */
const SPEAKING_MS = 700;
const FILES_MAX = 60;
const LINES_SHOWN = 5;

export function* lint({ directory }: Extract<Job, { job: "lint" }>, context: JobContext): Steps<JobResult> {
  const { session } = context.question.facts;
  if (session === undefined || isUnknown(session)) return {};
  const root = rootOf(directory, context.places.project);
  const files = yield* changedFiles(root, context);
  const told: Text[] = [];
  for (const linter of LINTERS) {
    const own = files.filter((file) => isLintedBy(linter, file)).slice(0, FILES_MAX);
    const program = own.length === 0 ? undefined : linterIn(root, linter, own, context);
    if (!program) continue;
    const changed = changedIn(session, program.code);
    if (changed !== undefined) told.push(notRun(program.by, changed));
    else told.push(...(yield* found(program, context)));
  }
  if (told.length === 0) return {};
  return { note: text(told.map(({ en }) => en).join("\n"), told.map(({ ja }) => ja).join("\n")) };
}

/** Below the root, as git lists them; those that are gone have nothing to lint. */
function* changedFiles(root: string, { env, clock, deadline, places }: JobContext): Steps<readonly string[]> {
  const ask = asker({ directory: root }, { env, project: places.project, deadline: deadline - SPEAKING_MS, clock });
  const safe = ["--no-ext-diff", "--no-textconv", "--no-renames"];
  const tracked = yield* ask(["diff", "--name-only", "-z", ...safe, "HEAD"]);
  const fresh = yield* ask(["ls-files", "-z", "--others", "--exclude-standard"]);
  const all = `${tracked ?? ""}${fresh ?? ""}`.split("\0").filter((path) => path !== "");
  return [...new Set(all)].map((path) => `${root}/${path}`).filter((path) => existsSync(path));
}

interface Linting {
  readonly by: string;
  readonly program: Omit<ProgramRun, "timeMs">;
  /** Files whose content would run: the program, and settings that are code or name code. */
  readonly code: readonly string[];
}

interface Known {
  readonly by: string;
  /** In the project, by preference; a bare name is looked up on the PATH outside the project. */
  readonly at: readonly string[];
  readonly args: readonly string[];
  readonly settings: readonly string[];
}

const ESLINT = ["js", "mjs", "cjs", "ts", "mts", "cts"].map((ending) => `eslint.config.${ending}`);

const KNOWN: Readonly<Record<Linter, readonly Known[]>> = {
  eslint: [
    {
      by: "biome",
      at: ["node_modules/.bin/biome"],
      args: ["lint", "--colors=off", "--reporter=github", "--max-diagnostics=20"],
      settings: ["biome.json", "biome.jsonc"],
    },
    {
      by: "eslint",
      at: ["node_modules/.bin/eslint"],
      args: ["--no-color", "--no-error-on-unmatched-pattern"],
      settings: [...ESLINT, ".eslintrc.js", ".eslintrc.cjs", ".eslintrc.json", ".eslintrc.yml"],
    },
  ],
  ruff: [
    {
      by: "ruff",
      at: [".venv/bin/ruff", "ruff"],
      args: ["check", "--no-fix", "--no-cache", "--output-format=concise"],
      settings: [],
    },
  ],
  shellcheck: [{ by: "shellcheck", at: ["shellcheck"], args: ["--format=gcc", "--color=never"], settings: [] }],
};

function linterIn(root: string, linter: Linter, files: readonly string[], context: JobContext): Linting | undefined {
  const { env, places } = context;
  const path = searchPath(env, places.project);
  const placed = ({ at }: Known): string | undefined =>
    at
      .flatMap((one) => (one.includes("/") ? [`${root}/${one}`] : path.map((directory) => `${directory}/${one}`)))
      .find((one) => existsSync(one));
  const known = KNOWN[linter].find((one) => placed(one) !== undefined);
  const program = known && placed(known);
  if (!known || program === undefined) return undefined;
  const { HOME = "" } = env;
  return {
    by: known.by,
    code: [program, ...known.settings.map((name) => `${root}/${name}`).filter((file) => existsSync(file))],
    program: {
      program,
      // Absolute, so that no program takes a name for an option.
      args: [...known.args, ...files],
      cwd: root,
      env: { PATH: path.join(":"), HOME, LC_ALL: "C.UTF-8", NO_COLOR: "1" },
      group: true,
      judges: "stdout",
    },
  };
}

function* found({ by, program }: Linting, { clock, deadline }: JobContext): Steps<readonly Text[]> {
  const timeMs = Math.min(LINT_MS_MAX, Math.floor(deadline - clock() - SPEAKING_MS));
  if (timeMs <= 0) return [];
  const result = yield* run({ ...program, timeMs });
  if ("failed" in result)
    return [
      text(
        `${by} could not check the changed files: ${result.failed}.`,
        `${by} を実行できませんでした: ${result.failed}`,
      ),
    ];
  if (!result.refused && !result.cut) return [];
  const lines = result.text.split("\n").filter((line) => line.trim() !== "");
  const shown = lines.slice(0, LINES_SHOWN).map((line) => `  ${inline(line.replace(`${program.cwd}/`, ""), 160)}`);
  const more = lines.length > shown.length ? `\n  … ${lines.length - shown.length}` : "";
  return [
    text(
      `${by} objects to files of this commit. Fix them, or tell the person why not:\n${shown.join("\n")}${more}`,
      `${by} がこのコミットのファイルに問題を見つけました。直すか、直さない理由を利用者に伝えてください:\n${shown.join("\n")}${more}`,
    ),
  ];
}

function notRun(by: string, changed: string): Text {
  const file = inline(changed, 160);
  return text(
    `${by} was not run before this commit, because ${file} was changed in this session. Run it yourself.`,
    `このセッションで ${file} が変更されたため、コミット前の ${by} は実行していません。自分で実行してください。`,
  );
}
