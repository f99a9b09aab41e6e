/** Deletion over HTTP: `curl -X DELETE`, `gh api -X DELETE` and similar commands. */

import { text } from "../../../lib/text.ts";
import { optionValue } from "../../../reading/shell/parse/options.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";
import { type Danger, forbid, type Judge, question, shown } from "./danger.ts";

export const remoteDanger: Judge = (invocation) => {
  const { name = "", args } = invocation;
  if (methodOf(name, args)?.toUpperCase() !== "DELETE") return undefined;
  const targets = args.map(({ text: word }) => word);
  if (targets.some((word) => wholePattern().test(word))) return removed(invocation, forbid);
  const reachesOut = name === "gh" || name === "glab";
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
