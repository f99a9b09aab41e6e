/** The plans of the current work tree, as files. */
import { existsSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import { inline } from "../../lib/text.ts";
import type { Playbook } from "../../playbook/playbook.ts";
import { PLAYBOOK_CHARS_MAX, readPlaybook } from "../../playbook/read.ts";
import { readV2 } from "../../playbook/v2.ts";
import { readV16 } from "../../playbook/v16.ts";
import { readYaml } from "../../store/settings/settings-yaml.ts";
import { PLAYBOOK_DIRECTORY, pathOf, playbookNames } from "../../world/facts/plan/playbooks.ts";
import { rootOf } from "../../world/machine/work-tree.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";

export interface PlaybookFile {
  /** Relative to the work tree, or absolute outside it. */
  readonly path: string;
  readonly text: string;
  readonly playbook: Playbook;
}

/** The root of the work tree that the command was started in. */
export function workRoot({ places }: Pick<Here, "places">): string {
  return rootOf(process.cwd(), places.project);
}

export function playbooksIn(root: string): readonly string[] {
  return playbookNames(root).map(pathOf);
}

/** A path, or the name of one of our own playbooks. Without either, the only one there is. */
export function playbookNamed(root: string, given: string | undefined): PlaybookFile {
  return fileAt(root, given === undefined ? onlyOne(root) : fileNamed(root, given));
}

function onlyOne(root: string): string {
  const [only, ...more] = playbooksIn(root);
  if (only === undefined)
    throw new Problem(`There is no playbook in ${PLAYBOOK_DIRECTORY}/. \`sekisho playbook new NAME\` makes one.`);
  if (more.length > 0)
    throw new Problem(`Which one? ${[only, ...more].map((path) => basename(path, ".md")).join(", ")}`);
  return resolve(root, only);
}

function fileNamed(root: string, given: string): string {
  const named = join(root, PLAYBOOK_DIRECTORY, `${given}.md`);
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(given) && existsSync(named)) return named;
  const path = resolve(given);
  if (existsSync(path)) return path;
  throw new Problem(`There is no playbook “${inline(given)}”, neither in ${PLAYBOOK_DIRECTORY}/ nor as a file.`);
}

function fileAt(root: string, path: string): PlaybookFile {
  // A few more bytes than characters, so that a file that is too long is told from one that just fits.
  const text = plainText(path, PLAYBOOK_CHARS_MAX * 4);
  const shown = relative(root, path).startsWith("..") ? path : relative(root, path);
  if (text === undefined) throw new Problem(`${inline(shown)} is no regular file, or too large to be a plan.`);
  const playbook = read(path, text);
  // A plan in our own directory is held to our rules, also if it leaves out what they ask for.
  const isOurs = playbook.dialect === "checklist" && shown.startsWith(`${PLAYBOOK_DIRECTORY}/`);
  return { path: shown, text, playbook: isOurs ? { ...playbook, dialect: "sekisho" } : playbook };
}

function read(path: string, text: string): Playbook {
  if (extname(path) !== ".json") {
    const playbook = readPlaybook(text);
    return playbook.dialect === "v16" ? readV16(text, yamlOf) : playbook;
  }
  const playbook = readV2(json(path, text), progressOf(path));
  if (playbook) return playbook;
  throw new Problem(`${inline(path)} is JSON, but no plan: it has no list of phases.`);
}

function yamlOf(text: string): unknown {
  const read = readYaml(text);
  return "layer" in read ? read.layer : undefined;
}

/** What version 2 keeps beside the plan. */
function progressOf(path: string): unknown {
  const name = basename(path).replace(/plan\.json$/, "progress.json");
  const beside = join(dirname(path), name);
  const text = name === basename(path) ? undefined : plainText(beside, PLAYBOOK_CHARS_MAX * 4);
  return text === undefined ? undefined : json(beside, text);
}

function json(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(`${inline(path)} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
