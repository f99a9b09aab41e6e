/** Asks before a file is destroyed that no copy is kept of, because it holds secrets. */

import { ask, definePolicy, pass } from "../../../kernel/policy.ts";
import { baseName } from "../../../lib/paths.ts";
import { inline, text } from "../../../lib/text.ts";
import { lossesOf } from "../../../reading/operation/losses.ts";
import { bash } from "../../example.ts";

const NAMED_MAX = 3;

export const noUnkeptLoss = definePolicy({
  id: "no-unkept-loss",
  on: ["PreToolUse"],
  needs: ["unkept"],
  why: text(
    "Deleted files are copied for `sekisho undo`, but a file with secrets is not: its copy would be one more place to leak from.",
    "削除されるファイルは `sekisho undo` のために控えを取りますが、秘密を含むファイルの控えは取りません。漏れる場所が増えるためです。",
  ),

  applies: ({ tool }, operation) => tool.kind === "bash" && lossesOf(operation).length > 0,

  check({ facts: { unkept } }) {
    if (unkept.length === 0) return pass;
    const names = unkept.slice(0, NAMED_MAX).map((path) => inline(baseName(path), 60));
    const more = unkept.length - names.length;
    const files = `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    const filesJa = `${names.join("、")}${more > 0 ? ` ほか ${more} 件` : ""}`;
    return ask({
      what: text(
        `This destroys ${files}. ${unkept.length === 1 ? "The file holds" : "The files hold"} secrets and ${unkept.length === 1 ? "is" : "are"} not in git, so no copy is kept and \`sekisho undo\` cannot bring ${unkept.length === 1 ? "it" : "them"} back.`,
        `${filesJa} が失われます。秘密を含み Git にもないため控えを取れず、\`sekisho undo\` では戻せません。`,
      ),
      fix: text(
        `Move ${unkept.length === 1 ? "it" : "them"} aside instead, e.g. \`mv ${names[0]} ${names[0]}.old\`.`,
        `代わりに、\`mv ${names[0]} ${names[0]}.old\` のように別名に移してください。`,
      ),
    });
  },

  examples: [
    { expect: "ask", when: bash("rm .env"), given: { unkept: ["/home/dev/project/.env"] } },
    { expect: "ask", when: bash("rm -rf config"), given: { unkept: ["/home/dev/project/config/prod.env"] } },
    { expect: "pass", when: bash("rm .env"), given: { unkept: [] } },
    { expect: "pass", when: bash("rm -rf build") },
  ],
});
