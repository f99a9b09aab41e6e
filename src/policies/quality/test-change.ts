/** What a tool use would do to tests that are there: which go, and what is written over which. */
import type { Replacement, Tool } from "../../kernel/event.ts";
import type { Operation } from "../../kernel/operation.ts";
import { lineChanges } from "./line-change.ts";
import { patchChanges, programChanges } from "./program-change.ts";
import { type Ground, isTestPath, type TestChange, testName } from "./test-ground.ts";

export function testChanges(tool: Tool, operation: Operation, ground: Ground): readonly TestChange[] {
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

/** In the file as it stands, so that half a word and a comment that closes far below are seen; else the pieces alone. */
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
