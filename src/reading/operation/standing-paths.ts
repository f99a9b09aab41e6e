/** The files whose current text shows what an operation would remove. */

import { names } from "../../lib/name-table.ts";
import { absolute, baseName } from "../../lib/paths.ts";
import type { Invocation, ShellReading } from "../shell/parse/reading.ts";
import type { Operation } from "./operation.ts";

const PATHS_MAX = 64;
const DROPS = names("cp mv install rsync ditto");

export function standingPaths({ effects, shell }: Operation, cwd: string): readonly string[] {
  const named = effects
    .filter(({ literal, glob, elsewhere }) => literal && !glob && !elsewhere)
    .flatMap(({ path, kind, invocation }) => (kind === "write" ? [path, ...droppedInto(path, invocation)] : [path]));
  const told = shell ? toldOf(shell, cwd) : [];
  return [...new Set([...named, ...told])].filter((path) => path.startsWith("/")).slice(0, PATHS_MAX);
}

/** `cp x/a.test.ts src` writes `src/a.test.ts`. */
export function droppedInto(target: string, invocation: Invocation | undefined): readonly string[] {
  if (!DROPS.has(invocation?.name ?? "")) return [];
  return (invocation?.args ?? [])
    .filter(({ text, literal }) => literal && !text.startsWith("-"))
    .slice(0, -1)
    .map(({ text }) => `${target}/${baseName(text)}`);
}

/** Files that inline programs and patches mention. */
function toldOf({ programs, invocations }: ShellReading, cwd: string): readonly string[] {
  const inPrograms = programs.flatMap((program) => located(testWords(program.text), program.cwd ?? cwd));
  const inPatches = invocations
    .filter(({ stdin }) => stdin?.text !== undefined)
    .flatMap(({ stdin, cwd: at }) => located(patchedFiles(stdin?.text ?? ""), at ?? cwd));
  return [...inPrograms, ...inPatches];
}

function located(words: readonly string[], cwd: string): readonly string[] {
  return words.flatMap((word) => absolute(word, cwd) ?? []);
}

const WORDS_MAX = 16;

/** Words in a program that may be the path of a test file. */
export function testWords(program: string): readonly string[] {
  const words = program.split(/[^\w@.~/+-]+/).filter((word) => /test|spec|IT\./i.test(word) && /[./]/.test(word));
  return [...new Set(words)].slice(0, WORDS_MAX);
}

export function patchedFiles(patch: string): readonly string[] {
  const files = patch.matchAll(/^(?:\+\+\+|---) (?:[ab]\/)?([^\t\n]+)/gm);
  return [...new Set([...files].map(([, file = ""]) => file.trim()))].slice(0, WORDS_MAX);
}
