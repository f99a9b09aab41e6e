/** Commits and pushes that go past the checks the project has set up. */

import type { GitCommand } from "../../kernel/git-command.ts";
import { names } from "../../kernel/name-table.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";
import { text } from "../../kernel/text.ts";
import { type Danger, question } from "./danger.ts";
import { flag, says } from "./danger-git-words.ts";

/** Of the verbs that run hooks, `-n` means it for `commit` alone: elsewhere it is a dry run. */
export function skipsHooks({ verb = "", args, config }: GitCommand, { assignments }: Invocation): Danger | undefined {
  if (!CHECKED.has(verb)) return undefined;
  const told = says(args, "--no-verify") || (verb === "commit" && flag(args, "n", "mFCctuS"));
  const placed = config.some(({ text: word }) => /^core\.hookspath=(?:\/dev\/null)?$/i.test(word));
  const silenced = assignments.some(({ name, value }) => switchesPattern().test(`${name}=${value.text}`));
  return told || placed || silenced ? skipped : undefined;
}

const CHECKED = names("commit push merge rebase am cherry-pick revert");
const switchesPattern = (): RegExp => /^(?:(?:HUSKY|LEFTHOOK)=(?:0|false)|(?:HUSKY_SKIP_HOOKS|SKIP_HOOKS)=(?:1|true))$/;

const skipped = question(
  text(
    "This skips the checks that the project runs before a commit or a push.",
    "プロジェクトがコミットや push の前に行う検査を飛ばします。",
  ),
  text(
    "Run it without the switch and repair what the hook reports; a person may skip it.",
    "指定を外して実行し、フックの指摘を直してください。飛ばすかどうかは利用者が決めます。",
  ),
);
