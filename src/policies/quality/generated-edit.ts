/** Whether a tool use writes by hand what a program makes, and how it names it. */
import type { Tool } from "../../kernel/event.ts";
import { isBuilt, isGenerated } from "../../kernel/file-kind.ts";
import type { Operation } from "../../kernel/operation.ts";
import type { Effect } from "../../kernel/operation-effects.ts";
import { within } from "../../kernel/paths.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";
import { couldWrite } from "../access/own-command.ts";
import { isByHand } from "./hand-tools.ts";
import type { Ground } from "./test-ground.ts";

export function generatedEdit(tool: Tool, { effects, shell }: Operation, ground: Ground): string | undefined {
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

/** What was made elsewhere is put where it is wanted. */
function isCopyOfMade({ name = "", args }: Invocation): boolean {
  const sources = args.filter(({ text }) => !text.startsWith("-")).slice(0, -1);
  return (
    COPIES.split(" ").includes(name) &&
    sources.length > 0 &&
    sources.every(({ text }) => isGenerated(text) || isBuilt(`${text}/x`))
  );
}
