/** The pipelines of the current work tree, and those that come with the program. */
import { readdirSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { plainText } from "../../../disk/plain-file.ts";
import { didYouMean } from "../../../lib/did-you-mean.ts";
import { inline } from "../../../lib/text.ts";
import { isNamed } from "../../../pipeline/naming.ts";
import { hasErrors, type ReadPipeline } from "../../../pipeline/reading/pipeline.ts";
import { host } from "../../host.ts";
import { Problem } from "../../problem.ts";
import { missingIn } from "./missing.ts";
import { PIPELINE_BYTES_MAX, pipelineAt, pipelineIn } from "./read-file.ts";

export { pipelineSchema } from "../../../pipeline/schema.ts";

export const PIPELINE_DIRECTORY = ".sekisho/pipelines";
const FILES_MAX = 200;

/** `project`: our own directory. `host`: where the host's tools keep theirs, read in place. `given`: by its path. */
export type PipelineOrigin = "project" | "host" | "shipped" | "given";

export interface PipelineFile extends ReadPipeline {
  readonly path: string;
  /** As messages name it. */
  readonly shown: string;
  readonly origin: PipelineOrigin;
}

/** By file name: the texts that the build puts into the program. */
declare const __PIPELINES__: Readonly<Record<string, string>> | undefined;
const SHIPPED = typeof __PIPELINES__ === "object" ? __PIPELINES__ : {};

/** Of two with one name the first counts. */
export function pipelinesHere(root: string): readonly PipelineFile[] {
  const places: readonly (readonly [PipelineOrigin, string])[] = [
    ["project", join(root, PIPELINE_DIRECTORY)],
    ["host", join(root, host.layout.directory, "pipelines")],
  ];
  const found = places.flatMap(([origin, directory]) =>
    yamlFilesIn(directory).flatMap((name) => fileAt(join(directory, name), root, origin) ?? []),
  );
  return [...found, ...Object.entries(SHIPPED).map(([name, text]) => shipped(name, text, root))];
}

function shipped(name: string, text: string, root: string): PipelineFile {
  return checked(
    { ...pipelineIn(text, `${name} (Sekisho)`), path: name, shown: `${name} (Sekisho)`, origin: "shipped" },
    root,
  );
}

/** The text of a file, for copying it. */
export function textOfPipeline({ origin, path, shown }: PipelineFile): string {
  const text = origin === "shipped" ? SHIPPED[path] : plainText(path, PIPELINE_BYTES_MAX);
  if (text === undefined) throw new Problem(`${inline(shown)} cannot be read.`);
  return text;
}

/** Missing, or no directory: it holds no pipelines. */
function yamlFilesIn(directory: string): readonly string[] {
  try {
    const names = readdirSync(directory).filter((name) => /\.ya?ml$/i.test(name));
    return names.sort().slice(0, FILES_MAX);
  } catch {
    return [];
  }
}

function fileAt(path: string, root: string, origin: PipelineOrigin): PipelineFile | undefined {
  const inTree = relative(root, path);
  const shown = inTree.startsWith("..") ? path : inTree;
  const read = pipelineAt(path, shown);
  return read && checked({ ...read, path, shown, origin }, root);
}

function checked(file: PipelineFile, root: string): PipelineFile {
  const missing = missingIn(file, { root, env: process.env, isStrict: file.origin === "project" });
  return { ...file, problems: [...file.problems, ...missing].sort((one, other) => one.line - other.line) };
}

/** The file at a path, whatever is in it. */
export function pipelineFileAt(root: string, given: string): PipelineFile {
  const path = resolve(given);
  const inTree = relative(root, path);
  const isOurs = inTree.startsWith(`${PIPELINE_DIRECTORY}/`);
  const file = fileAt(path, root, isOurs ? "project" : "given");
  if (!file) throw new Problem(`There is no file ${inline(given)}.`);
  return file;
}

/** By its name, or by the path of its file. */
export function pipelineNamed(root: string, given: string): PipelineFile {
  const all = pipelinesHere(root);
  const found =
    all.find((file) => isNamed(nameOf(file), given)) ?? all.find((file) => isNamed(basename(file.path), given));
  if (found) return found;
  if (/[./]/.test(given)) return pipelineFileAt(root, given);
  const known = [...new Set(all.map(nameOf))];
  throw new Problem(
    `There is no pipeline “${inline(given)}”${didYouMean(given.toUpperCase().replace(/-/g, "_"), known)}. ` +
      "`sekisho pipeline list` shows all.",
  );
}

export function nameOf({ pipeline, path }: PipelineFile): string {
  return pipeline?.name || basename(path).replace(/\.ya?ml$/i, "");
}

/** A pipeline that can be drawn, planned or run; otherwise a message with its first problems. */
export function soundPipeline(file: PipelineFile) {
  const { pipeline, problems, shown } = file;
  if (pipeline && !hasErrors(problems)) return pipeline;
  throw new Problem(`${inline(shown)} has errors: \`sekisho pipeline validate ${inline(nameOf(file))}\` shows them.`);
}
