/** The copy of the built program that the tests run, see global-setup.ts. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "./answer.ts";

export const program = {
  node: process.execPath,
  bundle: join(process.env["SEKISHO_TEST_PROGRAM"] ?? "", "sekisho.cjs"),
};
if (!existsSync(program.bundle)) throw new Error("dist/ is empty: run `npm run build` first.");

export type Words = readonly [string, ...string[]];

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** All of standard input. */
  readonly input: string | Uint8Array;
}

/** Runs a command to its end. */
export type Start = (words: Words, surroundings: Surroundings) => Answer;

/** Runs a command in its own process. */
export function inProcess(
  [name, ...args]: Words,
  given: Surroundings & { readonly timeout?: number | undefined },
): Answer {
  const { error, status, stdout, stderr } = spawnSync(name, args, { ...given, encoding: "utf8", maxBuffer: 1 << 28 });
  // A hook that does not read its input is no error; one that cannot be started is.
  if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  return { code: status, stdout, stderr };
}
