import { ask, definePolicy, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { GIT_PUSH_PROTECTED } from "../../state/families.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { bash } from "../example.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";
import { protectedIn } from "./protected-push.ts";
import { type Protects, type Publication, publicationByTool, publicationOf } from "./publication.ts";

/** Sharing a branch is everyday work and passes by default; a protected branch or a release asks the person. */
export const noPublish = definePolicy({
  id: "no-publish",
  on: ["PreToolUse"],
  needs: ["settings", "scripts", "pushes"],
  why: text(
    "What others have fetched cannot be taken back, and it bears the person's name.",
    "他の人の手に渡ったものは取り戻せず、利用者の名で公開される。",
  ),

  applies: ({ tool }, operation) =>
    operation.shell !== undefined || (tool.kind === "mcp" && publicationByTool(tool.name) !== undefined),

  check({ event, operation, facts }) {
    const { publish } = facts.settings;
    const command = event.tool.kind === "bash" ? event.tool.command : "";
    const around = { command, cwd: event.cwd, branches: publish.branches, pushes: facts.pushes };
    const byTool = event.tool.kind === "mcp" ? publicationByTool(event.tool.name) : undefined;
    if (byTool) return rulingOn([{ kind: byTool, command: event.tool.name }], publish);
    const judge = (one: Pick<ReadScript, "operation">): Ruling =>
      rulingOn(publicationsIn(one.operation, protectedIn(one.operation, around)), publish);
    const itself = judge({ operation });
    return facts.scripts.length > 0 ? withScripts(itself, facts.scripts, judge) : itself;
  },

  examples: [
    { expect: "ask", when: bash("npm publish --access public") },
    { expect: "ask", when: bash("git tag v1.2.0 && git push origin v1.2.0") },
    { expect: "ask", when: bash("gh release create v1.2.0 --generate-notes") },
    { expect: "pass", when: bash("git push -u origin topic") },
    { expect: "ask", when: bash("git push origin main") },
    { expect: "ask", when: bash("git push"), given: { pushes: { "/home/dev/project": { current: "main" } } } },
    { expect: "pass", when: bash("npm publish --dry-run") },
    { expect: "pass", when: bash("gh release list && npm view sekisho") },
  ],
});

interface Found {
  readonly kind: Publication;
  readonly command: string;
}

function publicationsIn({ shell }: Operation, protects: Protects): readonly Found[] {
  return (shell?.invocations ?? []).flatMap((invocation) => {
    const kind = publicationOf(invocation, protects);
    if (!kind) return [];
    return [{ kind, command: [invocation.word, ...invocation.args].map((word) => word.text).join(" ") }];
  });
}

function rulingOn(found: readonly Found[], publish: Settings["publish"]): Ruling {
  const judged = found.map((one) => ({ ...one, setting: settingFor(one.kind, publish) }));
  const worst = judged.find(({ setting }) => setting === "deny") ?? judged.find(({ setting }) => setting === "ask");
  if (!worst) return pass;
  const shown = inline(worst.command, 80);
  const what = text(`\`${shown}\` ${WHAT[worst.kind].en}`, `\`${shown}\` は${WHAT[worst.kind].ja}`);
  const isPush = worst.kind === "protected";
  if (worst.setting === "deny") return deny({ what, fix: LEAVE_IT });
  const isAllPush = judged.every(({ kind, setting }) => kind === "protected" || setting === "off");
  return ask({ what, fix: isPush ? BY_REQUEST : CONFIRM, ...(isAllPush && { family: GIT_PUSH_PROTECTED }) });
}

/** A protected branch is shared too, so the stricter of the two counts. */
function settingFor(kind: Publication, publish: Settings["publish"]): "off" | "ask" | "deny" {
  if (kind !== "protected" || publish.share === "off") return publish[kind];
  return publish.share === "deny" ? "deny" : publish.protected === "deny" ? "deny" : "ask";
}

const WHAT: Readonly<Record<Publication, Text>> = {
  share: text("would share work with others.", "作業を他の人と共有する操作です。"),
  protected: text("would update a protected branch on the remote.", "リモートの保護ブランチを更新する操作です。"),
  release: text("would release something to everybody.", "一般に公開する操作です。"),
};

const CONFIRM = text(
  "Try it without sending first (`--dry-run` where there is one), and let the person confirm the rest.",
  "まず送信せずに試し (`--dry-run` があれば使用)、実行は利用者に確認してもらってください。",
);
const BY_REQUEST = text(
  "Push a branch of its own (`git push -u origin HEAD:<name>`) and open a pull request. `publish.branches` says which branches are protected.",
  "別のブランチに push し（`git push -u origin HEAD:<name>`）、プルリクエストを開いてください。保護ブランチは `publish.branches` で決まります。",
);
const LEAVE_IT = text(
  "Prepare everything, show the person the command, and let them run it. `publish` in `.sekisho/config.yaml` says so here.",
  "準備だけを行い、コマンドを利用者に示して実行してもらってください。ここでは `.sekisho/config.yaml` の `publish` がそう定めています。",
);
