/** Tells whether a tool use writes a generated file by hand, and how it spells the path. */

import { within } from "../../lib/paths.ts";
import type { Effect } from "../../reading/operation/effects.ts";
import { isBuilt, isGenerated } from "../../reading/operation/file-kind.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";
import type { Tool } from "../../reading/tool.ts";
import { couldWrite } from "../access/tampering/own-command.ts";
import { isByHand } from "./hand-tools.ts";
import type { TestContext } from "./test-ground.ts";

export function generatedEdit(tool: Tool, { effects, shell }: Operation, ground: TestContext): string | undefined {
  const isOurs = (path: string): boolean => within(path, ground.project) || within(path, ground.cwd);
  const hit = effects.find(
    (effect) =>
      effect.kind === "write" &&
      !effect.elsewhere &&
      isOurs(effect.path) &&
      [effect.path, ground.targets[effect.path] ?? "", effect.spelled].some(isGenerated) &&
      (tool.kind !== "bash" || isWrittenByHand(effect)),
  );
  if (hit) return hit.spelled;
  const program = shell?.programs.find(({ text, language }) => language !== "perl" && couldWrite(text));
  return program?.text.split(/[^\w@.~/+-]+/).find((word) => isGenerated(word) && !/\bimport\b|require/.test(word));
}

const COPIES = "cp mv install ln";

function isWrittenByHand({ invocation }: Effect): boolean {
  return !invocation || (isByHand(invocation, COPIES) && !isCopyOfMade(invocation));
}

/** Copying files that were generated elsewhere is not a manual edit. */
function isCopyOfMade({ name = "", args }: Invocation): boolean {
  const sources = args.filter(({ text }) => !text.startsWith("-")).slice(0, -1);
  return (
    COPIES.split(" ").includes(name) &&
    sources.length > 0 &&
    sources.every(({ text }) => isGenerated(text) || isBuilt(`${text}/x`))
  );
}
