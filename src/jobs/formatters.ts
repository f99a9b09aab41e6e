/** Finds the program that formats a file: the user's command for its extension, or the project's own formatter. */

import { existsSync } from "node:fs";
import { plainText } from "../disk/plain-file.ts";
import type { ProgramRun } from "../kernel/effect.ts";
import { names } from "../lib/name-table.ts";
import { baseName, directoryOf, within } from "../lib/paths.ts";
import { endingOf } from "../reading/operation/file-kind.ts";
import { FILE, readFormatCommand } from "../state/settings/format-command.ts";
import type { Environment } from "../world/machine/places.ts";
import { prettierSettings, usesPrettier } from "./prettier.ts";

export interface Formatter {
  /** Display name. */
  readonly by: string;
  readonly program: Omit<ProgramRun, "timeMs">;
  /** Files whose content would run, as far as known: the program, and settings that are code or name code. */
  readonly code: readonly string[];
}

interface Looking {
  /** Absolute, inside the project, not reached through a link. */
  readonly path: string;
  readonly project: string;
  readonly commands: readonly string[];
  readonly env: Environment;
}

/** Undefined when no formatter applies. Nothing is ever downloaded or installed. */
export function formatterFor(looking: Looking): Formatter | undefined {
  const { path, project, commands, env } = looking;
  const ending = endingOf(path);
  const set = commands.map(readFormatCommand).find((command) => command?.endings.includes(ending));
  const found = set ? { ...set, at: project } : KNOWN.find(({ endings }) => endings.has(ending))?.find(looking);
  const program = found && programAt(found.program, found.at, looking);
  if (!found || program === undefined) return undefined;
  // A separate argument whatever it contains; absolute, so no program takes it for an option.
  const args = found.args.map((word) => (word === FILE ? path : word));
  const { HOME = "" } = env;
  const PATH = outside(env, project).join(":");
  const isPrettier = baseName(program) === "prettier";
  return {
    by: baseName(program),
    code: [program, ...(isPrettier ? directoriesAbove(path, project).flatMap(prettierSettings) : [])],
    program: { program, args, cwd: found.at, env: { PATH, HOME, LC_ALL: "C.UTF-8", NO_COLOR: "1" } },
  };
}

/** A program with its arguments and its working directory, where it looks for its settings. */
interface Found {
  readonly program: string;
  readonly args: readonly string[];
  readonly at: string;
}

type Known = { readonly endings: { has(name: string): boolean }; find(looking: Looking): Found | undefined };

const WEB = names("js jsx ts tsx mjs cjs json css scss sass less html md mdx yaml yml");
const BIOME = names("js jsx ts tsx mjs cjs json css");
const BIN = "node_modules/.bin";

const KNOWN: readonly Known[] = [
  { endings: WEB, find: (looking) => biome(looking) ?? prettier(looking) },
  { endings: names("py pyi"), find: python },
  { endings: names("go"), find: ({ path, project }) => below(path, project, "gofmt", ["-w", FILE], "go.mod") },
  { endings: names("rs"), find: rust },
];

function biome({ path, project }: Looking): Found | undefined {
  const at = BIOME.has(endingOf(path)) ? directoryWith(path, project, "biome.json", "biome.jsonc") : undefined;
  return at === undefined ? undefined : local(path, project, "biome", ["format", "--write", FILE], at);
}

function prettier({ path, project }: Looking): Found | undefined {
  const at = directoriesAbove(path, project).find(usesPrettier);
  return at === undefined ? undefined : local(path, project, "prettier", ["--write", "--log-level=silent", FILE], at);
}

function python({ path, project }: Looking): Found | undefined {
  const at = directoryWith(path, project, "pyproject.toml", "ruff.toml", ".ruff.toml");
  if (at === undefined) return undefined;
  const said = textOf(`${at}/pyproject.toml`);
  if (said.includes("[tool.black]")) return { program: "black", args: ["--quiet", FILE], at };
  const isRuff = said.includes("[tool.ruff") || existsSync(`${at}/ruff.toml`) || existsSync(`${at}/.ruff.toml`);
  return isRuff ? { program: "ruff", args: ["format", "--quiet", FILE], at } : undefined;
}

/** rustfmt needs the edition, which is in Cargo.toml. */
function rust({ path, project }: Looking): Found | undefined {
  const manifest = directoryWith(path, project, "Cargo.toml");
  const edition = /^edition\s*=\s*"(\d{4})"/m.exec(manifest === undefined ? "" : textOf(`${manifest}/Cargo.toml`))?.[1];
  const args = [...(edition === undefined ? [] : ["--edition", edition]), FILE];
  return below(path, project, "rustfmt", args, "rustfmt.toml", ".rustfmt.toml");
}

function below(
  path: string,
  project: string,
  program: string,
  args: readonly string[],
  ...files: readonly string[]
): Found | undefined {
  const at = directoryWith(path, project, ...files);
  return at === undefined ? undefined : { program, args, at };
}

/** The nearest copy installed in the project. */
function local(path: string, project: string, name: string, args: readonly string[], at: string): Found | undefined {
  const from = directoryWith(path, project, `${BIN}/${name}`);
  return from === undefined ? undefined : { program: `${from}/${BIN}/${name}`, args, at };
}

/** A path is used as it is; a name is looked up in the project's venv, then on the PATH outside the project. */
function programAt(program: string, at: string, { path, project, env }: Looking): string | undefined {
  if (program.includes("/")) {
    const whole = program.startsWith("/") ? program : `${at}/${program}`;
    return existsSync(whole) ? whole : undefined;
  }
  const venv = directoryWith(path, project, `.venv/bin/${program}`);
  if (venv !== undefined) return `${venv}/.venv/bin/${program}`;
  return outside(env, project)
    .map((one) => `${one}/${program}`)
    .find((one) => existsSync(one));
}

/** PATH entries outside the project: a program inside it may be the agent's work. */
function outside({ PATH = "" }: Environment, project: string): readonly string[] {
  return PATH.split(":").filter((one) => one.startsWith("/") && !within(one, project));
}

function directoryWith(path: string, project: string, ...files: readonly string[]): string | undefined {
  return directoriesAbove(path, project).find((one) => files.some((file) => existsSync(`${one}/${file}`)));
}

const DEPTH_MAX = 40;

/** From the file's directory up to the project's root. */
function directoriesAbove(path: string, project: string): readonly string[] {
  const above: string[] = [];
  for (let at = directoryOf(path); within(at, project) && above.length < DEPTH_MAX; at = directoryOf(at)) {
    above.push(at);
    if (at === project) break;
  }
  return above;
}

const BYTES_MAX = 1024 * 1024;

function textOf(path: string): string {
  return plainText(path, BYTES_MAX) ?? "";
}
