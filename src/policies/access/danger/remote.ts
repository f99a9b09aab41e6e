/** Requests that delete or change something on a server: `curl -X DELETE`, `gh api -X PUT` and similar commands. */

import { text } from "../../../lib/text.ts";
import { optionValue } from "../../../reading/shell/parse/options.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";
import { type Danger, forbid, type Judge, question, shown } from "./danger.ts";

export const remoteDanger: Judge = (invocation) => {
  const { name = "", args } = invocation;
  const method = methodOf(name, args)?.toUpperCase();
  const reachesOut = name === "gh" || name === "glab";
  if (reachesOut && publishes(args)) return published(invocation);
  if (reachesOut && (method === "PUT" || method === "PATCH")) return isTalk(args) ? undefined : changed(invocation);
  if (method !== "DELETE" && !args.some(({ text: word }) => /\/_delete_by_query\b/.test(word))) return undefined;
  const targets = args.map(({ text: word }) => word);
  if (targets.some((word) => wholePattern().test(word))) return removed(invocation, forbid);
  // A local server is there for testing.
  const plain = !reachesOut && !targets.some((word) => storePattern().test(word));
  return plain && targets.some((word) => localPattern().test(word)) ? undefined : removed(invocation, question);
};

function methodOf(name: string, args: readonly Word[]): string | undefined {
  switch (name) {
    case "curl":
      return optionValue(args, ["-X", "--request"])?.text;
    case "wget":
      return optionValue(args, ["--method"])?.text;
    case "http":
    case "https":
    case "xh":
    case "xhs":
      return named(args);
    case "gh":
    case "glab":
      return named(args) === "api" ? optionValue(args, ["-X", "--method"])?.text : undefined;
    default:
      return undefined;
  }
}

function named(args: readonly Word[]): string | undefined {
  return args.find(({ text: word }) => !word.startsWith("-"))?.text;
}

/** What people write on a code host and may write again: comments, issues, labels, the text of a pull request. */
function isTalk(args: readonly Word[]): boolean {
  const path = args.find(({ text: word }, at) => at > 0 && word.includes("/") && !word.startsWith("-"))?.text ?? "";
  return talkPattern().test(path);
}

const talkPattern = (): RegExp =>
  /\/(?:comments|issues|discussions|milestones|labels|releases|notes|reviews|check-runs|statuses|gists?)(?:\/|$|\?)|\/(?:pulls|merge_requests)\/[^/]+(?:\/(?:requested_reviewers|update-branch|assignees|reviews.*))?$|^\/?(?:gists|notifications|user\/starred)(?:\/|$)/;

/** `gh workflow run publish.yml`, and the same through the API. */
function publishes(args: readonly Word[]): boolean {
  const words = args.filter(({ text: word }) => !word.startsWith("-")).map(({ text: word }) => word);
  if (words[0] === "workflow" && words[1] === "run") return publicPattern().test(words[2] ?? "");
  return words[0] === "api" && words.some((word) => /\/dispatches$/.test(word) && publicPattern().test(word));
}

const publicPattern = (): RegExp => /(?:^|[\W_])(?:publish|release|deploy\w*|prod|production)(?:[\W_]|$)/i;

const localPattern = (): RegExp =>
  /^(?:https?:\/\/)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|[\w-]+\.(?:test|localhost|local))?(?::\d+)?(?:\/|$)/i;
/** Databases with an HTTP interface, by their default ports. */
const storePattern = (): RegExp => /:(?:9[23]00|7700|6333|8086|5984|8108)\//;
/** A whole repository, or every index of a search engine. */
const wholePattern = (): RegExp => /^(?:https:\/\/api\.github\.com)?\/?repos\/[^/]+\/[^/]+\/?$|:9[23]00\/(?:_all|\*)/;

function removed(invocation: Invocation, rule: typeof forbid): Danger {
  return rule(
    text(
      `This asks a server to delete something: ${shown(invocation)}.`,
      `サーバーに削除を要求します: ${shown(invocation)}。`,
    ),
    text(
      "Read it first with GET and keep the answer; let the person send the deletion.",
      "先に GET で取得して控えを残し、削除は利用者に実行してもらってください。",
    ),
  );
}

function changed(invocation: Invocation): Danger {
  return question(
    text(
      `This changes settings, branches or access on the code host: ${shown(invocation)}.`,
      `コードホストの設定・ブランチ・権限を変更します: ${shown(invocation)}。`,
    ),
    text(
      "Read the present state first (`gh api <path>`) and show the person what would change.",
      "先に現在の状態を `gh api <path>` で取得し、変わる点を利用者に示してください。",
    ),
  );
}

function published(invocation: Invocation): Danger {
  return question(
    text(
      `This starts a workflow that publishes or deploys: ${shown(invocation)}.`,
      `公開またはデプロイのワークフローを開始します: ${shown(invocation)}。`,
    ),
    text(
      "Say which version goes where, and let the person start it.",
      "どのバージョンをどこへ出すかを示し、利用者に開始してもらってください。",
    ),
  );
}
