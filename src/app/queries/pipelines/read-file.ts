/** A pipeline file as it lies on the disk. Whatever is in its place, the answer is a pipeline or problems with lines. */
import { readPlain } from "../../../disk/plain-file.ts";
import type { Problem } from "../../../pipeline/problem.ts";
import { type ReadPipeline, readPipeline } from "../../../pipeline/reading/pipeline.ts";
import { yamlTree } from "./yaml-tree.ts";

/** The library takes seconds for more. The largest pipeline in public repositories has 72 KB. */
export const PIPELINE_BYTES_MAX = 128 * 1024;

/** Undefined if there is nothing at the path. `shown` stands in messages. */
export function pipelineAt(path: string, shown: string): ReadPipeline | undefined {
  const file = readPlain(path, PIPELINE_BYTES_MAX);
  if (file === undefined) return undefined;
  if ("problem" in file) return unread({ rule: "unreadable", line: 1, path: "", word: file.problem });
  if (file.cut) return unread({ rule: "too-long", line: 1, path: "", word: `${PIPELINE_BYTES_MAX / 1024} KB` });
  return pipelineIn(file.bytes.toString("utf8"), shown);
}

export function pipelineIn(text: string, shown: string): ReadPipeline {
  const { root, problems } = yamlTree(text.replace(/^\uFEFF/, ""));
  return root ? readPipeline(root, shown, problems) : { pipeline: undefined, problems, lines: new Map() };
}

function unread(problem: Problem): ReadPipeline {
  return { pipeline: undefined, problems: [problem], lines: new Map() };
}
