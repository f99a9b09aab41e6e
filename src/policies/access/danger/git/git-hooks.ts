/** Commits and pushes that skip the checks of the project. */

import { names } from "../../../../lib/name-table.ts";
import { text } from "../../../../lib/text.ts";
import type { GitCommand } from "../../../../reading/operation/git-command.ts";
import { flag, says } from "../../../../reading/operation/git-words.ts";
import type { Invocation } from "../../../../reading/shell/parse/reading.ts";
import { SKIPPED_HOOKS } from "../../../../state/agreements.ts";
import { GIT_NO_VERIFY } from "../../../../state/families.ts";
import { type Danger, question } from "../danger.ts";

/** `-n` means --no-verify only for `commit`; for the other verbs it is a dry run or harmless. */
export function skipsHooks({ verb = "", args, config }: GitCommand, { assignments }: Invocation): Danger | undefined {
  if (!CHECKED.has(verb)) return undefined;
  const told = says(args, "--no-verify") || (verb === "commit" && flag(args, "n", "mFCctuS"));
  const placed = config.some(({ text: word }) => /^core\.hookspath=(?:\/dev\/null)?$/i.test(word));
  const silenced = assignments.some(({ name, value }) => switchesPattern().test(`${name}=${value.text}`));
  return told || placed || silenced ? skipped : undefined;
}

const CHECKED = names("commit push merge rebase am cherry-pick revert");
const switchesPattern = (): RegExp => /^(?:(?:HUSKY|LEFTHOOK)=(?:0|false)|(?:HUSKY_SKIP_HOOKS|SKIP_HOOKS)=(?:1|true))$/;

const skipped: Danger = {
  family: GIT_NO_VERIFY,
  agreement: [SKIPPED_HOOKS],
  ...question(
    text(
      "This skips the checks that the project runs before a commit or a push.",
      "プロジェクトがコミットや push の前に行う検査を飛ばします。",
    ),
    text(
      "Run it without the switch and repair what the hook reports.",
      "指定を外して実行し、フックの指摘を直してください。",
    ),
  ),
};
