/** Effect of a tool use on existing tests: the removed ones, and the overwritten ones with their new text. */

import type { Operation } from "../../reading/operation/operation.ts";
import type { Replacement, Tool } from "../../reading/tool.ts";
import { lineChanges } from "./line-change.ts";
import { patchChanges, programChanges } from "./program-change.ts";
import { isTestPath, type TestChange, type TestContext, testName } from "./test-ground.ts";

export function testChanges(tool: Tool, operation: Operation, ground: TestContext): readonly TestChange[] {
  const { shell, effects } = operation;
  if (shell)
    return [
      ...lineChanges(operation, shell, ground),
      ...shell.programs.flatMap((program) => programChanges(program, ground)),
      ...shell.invocations.flatMap((invocation) => patchChanges(invocation, ground)),
    ];
  const path = effects[0]?.path ?? "";
  const standing = ground.standing[path];
  if (!standing || !isTestPath(path, ground)) return [];
  const file = { path: testName(path, ground), spelled: effects[0]?.spelled ?? path };
  if (tool.kind === "write") return [{ kind: "written", ...file, before: standing.text, after: tool.content }];
  return tool.kind === "edit" ? [{ kind: "written", ...file, ...editedText(standing.text, tool.edits) }] : [];
}

/**
 * Applies the edits to the whole file, so that partial words and comments that close later are seen. Falls back to the
 * edited pieces.
 */
function editedText(
  text: string | undefined,
  edits: readonly Replacement[],
): { readonly before: string; readonly after: string; readonly part?: true } {
  let after = text;
  for (const { old, new: fresh, all } of edits) {
    const at = after === undefined || old === "" ? -1 : after.indexOf(old);
    if (after === undefined || at < 0)
      return {
        before: joined(edits.map((each) => each.old)),
        after: joined(edits.map((each) => each.new)),
        part: true,
      };
    after = all ? after.split(old).join(fresh) : after.slice(0, at) + fresh + after.slice(at + old.length);
  }
  return { before: text ?? "", after: after ?? "" };
}

function joined(pieces: readonly string[]): string {
  return pieces.join("\n");
}
