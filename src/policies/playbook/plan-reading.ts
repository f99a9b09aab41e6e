/** Before the plan was read: what only looks around. */
import { deny, type Ruling } from "../../kernel/policy.ts";
import { inline, text } from "../../lib/text.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Tool } from "../../reading/tool.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { mayChangeAnything } from "./plan-gate.ts";

/** By effect: `sed -i` and a redirection change a file, whichever harmless program they stand behind. */
export function onlyReads(tool: Tool, operation: Operation, settings: Settings): boolean {
  const isChange = operation.effects.some(({ kind, by }) => kind !== "read" && by !== "git");
  return !isChange && !mayChangeAnything(tool, operation, settings);
}

export function unreadWords(path: string): Ruling {
  const plan = inline(path, 120);
  return deny({
    what: text(
      `This conversation has not read the approved plan yet. Still to read: ${plan}.`,
      `この会話では、承認された計画がまだ読まれていません。未読: ${plan}`,
    ),
    fix: text(
      `Read ${plan} with the Read tool, or run \`cat ${plan}\` alone; then go on. Reading, questions and branches are open.`,
      `Read ツールで ${plan} を読むか、\`cat ${plan}\` を単独で実行してから続けてください。読み取り・質問・ブランチ操作は行えます。`,
    ),
  });
}
