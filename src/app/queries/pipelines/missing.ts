/** Commands of a pipeline that this machine or this package cannot run. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { plainText } from "../../../disk/plain-file.ts";
import { scriptCall } from "../../../evidence/checks/spelling.ts";
import { nearestNames } from "../../../lib/did-you-mean.ts";
import { names } from "../../../lib/name-table.ts";
import { inline } from "../../../lib/text.ts";
import { lineAt, type Problem } from "../../../pipeline/problem.ts";
import type { ReadPipeline } from "../../../pipeline/reading/pipeline.ts";
import { scriptsIn } from "../../../reading/scripts/entries.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import { readCommand } from "../../../reading/shell/walk/command.ts";
import type { Environment } from "../../../world/machine/places.ts";

interface Machine {
  readonly root: string;
  readonly env: Environment;
  /** The pipeline was written for this project, so it must be able to run here. */
  readonly isStrict: boolean;
}

const PACKAGE_BYTES_MAX = 1024 * 1024;

export function missingIn({ pipeline, lines }: ReadPipeline, machine: Machine): readonly Problem[] {
  const text = plainText(join(machine.root, "package.json"), PACKAGE_BYTES_MAX);
  const scripts = text === undefined ? undefined : Object.keys(scriptsIn(text));
  return (pipeline?.steps ?? []).flatMap(({ id, commands, retry }) => {
    const fix = retry.autoFixCommand;
    const all = [
      ...commands.map((line, at) => [`steps.${id}.commands.${at}`, line] as const),
      ...(fix === null ? [] : [[`steps.${id}.retry.auto_fix_command`, fix] as const]),
    ];
    return all.flatMap(([path, line]) =>
      missingOn(line, machine, scripts).map((found) => ({ ...found, path, line: lineAt(lines, path) })),
    );
  });
}

type Missing = Pick<Problem, "rule" | "word" | "more">;

function missingOn(line: string, machine: Machine, scripts: readonly string[] | undefined): readonly Missing[] {
  const { invocations } = readCommand(line, { cwd: machine.root, home: machine.env["HOME"] ?? "/" }).shell;
  const here = invocations.filter(({ remote, contained }) => !remote && !contained);
  const found = here.flatMap((one) => [...program(one, machine), ...script(one, machine, scripts)]);
  return found.filter(({ word }, at) => found.findIndex((other) => other.word === word) === at);
}

const BUILTINS = names(
  ". : [ [[ alias bg break builtin cd command continue declare dirs echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait time",
);

function program({ name, word, cwd }: Invocation, { root, env, isStrict }: Machine): readonly Missing[] {
  if (name === undefined || !word.literal || name === "" || BUILTINS.has(name)) return [];
  const rule = isStrict ? "missing-program" : "missing-here";
  if (word.text.includes("/")) {
    const isThere = cwd === undefined || existsSync(resolve(cwd, word.text));
    return isThere ? [] : [{ rule, word: inline(word.text, 60) }];
  }
  const places = [...(env["PATH"] ?? "").split(":"), join(root, "node_modules", ".bin")];
  const isThere = places.some((place) => place.startsWith("/") && isProgram(join(place, name)));
  return isThere ? [] : [{ rule, word: inline(name, 60) }];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Only of the package at the root, and only where the line says that a script is meant. */
function script(
  { name, args, cwd }: Invocation,
  { root, isStrict }: Machine,
  scripts: readonly string[] | undefined,
): readonly Missing[] {
  if (name === undefined || cwd !== root || !args.every(({ literal }) => literal)) return [];
  const words = [name, ...args.map(({ text }) => text)];
  const call = scriptCall(words);
  const isMeant = name === "npm" || ((name === "pnpm" || name === "yarn" || name === "bun") && words.includes("run"));
  if (!call || call.away || !isMeant || scripts?.includes(call.script)) return [];
  const near = nearestNames(call.script, scripts ?? []);
  const more = near.length > 0 ? ` (${near.join(" / ")})` : "";
  return [{ rule: isStrict ? "missing-script" : "missing-script-here", word: inline(call.script, 60), more }];
}
