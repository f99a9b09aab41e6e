/** Makes a pipeline of our own from a command chain of another tool. */
import { basename, join, resolve } from "node:path";
import { readPlain } from "../../disk/plain-file.ts";
import { inline } from "../../lib/text.ts";
import { pipelineFromChain, quotedVariables } from "../../pipeline/chain.ts";
import { fileNameOf } from "../../pipeline/naming.ts";
import { isId } from "../../pipeline/reading/kinds.ts";
import { writeAnew } from "../../world/machine/new-file.ts";
import { Problem } from "../problem.ts";
import { PIPELINE_DIRECTORY } from "../queries/pipelines/pipelines.ts";
import { PIPELINE_BYTES_MAX } from "../queries/pipelines/read-file.ts";
import { yamlTree } from "../queries/pipelines/yaml-tree.ts";

export interface ImportedPipeline {
  /** Relative to the work tree. */
  readonly path: string;
  readonly name: string;
  readonly steps: number;
  readonly audits: number;
  /** Lines of the original whose values had to be put into quotes. */
  readonly quoted: readonly number[];
}

/** A file that exists is never overwritten. */
export function importPipeline(root: string, given: string, as: string | undefined): ImportedPipeline {
  const file = readPlain(resolve(given), PIPELINE_BYTES_MAX);
  if (file === undefined) throw new Problem(`There is no file ${inline(given)}.`);
  if ("problem" in file || file.cut) throw new Problem(`${inline(given)} is no plain file, or too long to be a chain.`);
  const { text, lines: quoted } = quotedVariables(file.bytes.toString("utf8").replace(/^\uFEFF/, ""));
  const { root: tree, problems } = yamlTree(text);
  const [first] = problems;
  if (first)
    throw new Problem(`${inline(given)}:${first.line} cannot be read. \`sekisho pipeline validate\` says why.`);
  const chain = pipelineFromChain(tree);
  if (!chain)
    throw new Problem(
      `${inline(given)} is no chain: it has no steps with blocked_by, wave or needs_audit. Nothing was written.`,
    );
  const name = as ?? chain.name;
  if (!isId(name)) throw new Problem(`“${inline(name)}” is no name: use at most 64 letters, digits, _ and -.`);
  const path = `${PIPELINE_DIRECTORY}/${basename(fileNameOf(name))}`;
  writtenAt(join(root, path), path, chain.text.replace(`\nname: ${chain.name}\n`, `\nname: ${name}\n`));
  return { path, name, steps: chain.steps, audits: chain.audits, quoted };
}

function writtenAt(full: string, path: string, text: string): void {
  try {
    writeAnew(full, text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new Problem(`${path} is already there. Nothing was changed.`);
    throw new Problem(`${path} could not be written: ${message}`);
  }
}
