/**
 * Keeps copies of the program side by side. A package manager replaces files in place under the hooks of running
 * sessions; a kept version never changes, so hooks can switch forward and back in one step.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { discard } from "../../store/journal/discard.ts";
import { Problem } from "../problem.ts";
import { type Installation, installationOf } from "./installation.ts";

const LAUNCHER = "sekisho.cjs";

/** Inside the state directory, which agents may not change. */
export function versionsDirectory(state: string): string {
  return join(state, "versions");
}

export function keptVersions(state: string): readonly Installation[] {
  const directory = versionsDirectory(state);
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .map((name) => installationOf(join(directory, name, LAUNCHER)))
    .filter(({ version }) => version !== undefined);
}

/** Returns the kept copy of a program and creates it if needed. A program that differs from its build is refused. */
export function keepVersion(bundle: string, state: string): Installation {
  const source = installationOf(bundle);
  const sum = source.files[LAUNCHER];
  if (source.version === undefined || sum === undefined) {
    throw new Problem(
      `${bundle} cannot be kept as a version: ${source.unknown ?? "its list of files does not name the program"}.`,
    );
  }
  refuseDamaged(source);
  const directory = join(versionsDirectory(state), `${source.version}-${sum.slice(0, 8)}`);
  const kept = join(directory, LAUNCHER);
  if (bundle === kept) return source;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Atomic, the launcher last, so that a started launcher finds the other files.
  const others = Object.keys(source.files).filter((name) => name !== LAUNCHER);
  for (const name of ["manifest.json", ...others, LAUNCHER])
    copyInOneStep(join(dirname(bundle), name), join(directory, name));
  return installationOf(kept);
}

function refuseDamaged({ bundle, missing, changed }: Installation): void {
  const wrong = [...missing, ...changed];
  if (wrong.length === 0) return;
  throw new Problem(
    `The program beside ${bundle} is not as it was built (${wrong.join(", ")}), so no hook is pointed at it.\nInstall it again.`,
  );
}

function copyInOneStep(from: string, to: string): void {
  const temporary = `${to}.${process.pid}.tmp`;
  try {
    copyFileSync(from, temporary);
    // Only the user may read the state directory and the kept copies.
    chmodSync(temporary, statSync(from).mode & 0o700);
    renameSync(temporary, to);
  } catch (error) {
    discard(temporary);
    throw new Problem(`${to} cannot be written: ${(error as Error).message}. No hook was changed.`);
  }
}

/** Resolves `this`, a path, or the name of a kept version. */
export function findVersion(word: string, own: string, state: string): string {
  if (word === "this") return own;
  const kept = keptVersions(state);
  const byVersion = kept.filter(({ bundle, version }) => version === word || dirname(bundle).endsWith(`/${word}`));
  if (byVersion.length > 1) {
    throw new Problem(`Several builds of ${word} are kept. Name one: ${byVersion.map(nameOf).join(", ")}`);
  }
  const found = byVersion[0]?.bundle ?? programAt(resolve(word));
  if (found !== undefined) return found;
  const names = kept.map(nameOf).join(", ") || "none";
  throw new Problem(`"${word}" is neither a program of Sekisho nor a version that was kept (${names}).`);
}

export function nameOf({ bundle }: Pick<Installation, "bundle">): string {
  return dirname(bundle).split("/").at(-1) ?? bundle;
}

function programAt(path: string): string | undefined {
  return [path, join(path, LAUNCHER), join(path, "dist", LAUNCHER), join(path, "plugin", "dist", LAUNCHER)].find(
    (candidate) => candidate.endsWith(`/${LAUNCHER}`) && statSync(candidate, { throwIfNoEntry: false })?.isFile(),
  );
}
