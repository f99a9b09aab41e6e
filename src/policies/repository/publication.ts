/** Commands that publish something: shared with the team, or released to everyone. */

import { names } from "../../lib/name-table.ts";
import { gitVerb } from "../../reading/operation/git-site.ts";
import { type Push, pushOf } from "../../reading/operation/push.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";

/** `share`: to the team's own remote. `protected`: there to a branch that all build on. `release`: public at once. */
export type Publication = "share" | "protected" | "release";

/** Whether a push updates a protected branch. */
export type Protects = (push: Push, invocation: Invocation) => boolean;

export function publicationOf(invocation: Invocation, protects: Protects): Publication | undefined {
  const { name, args } = invocation;
  if (name === undefined) return undefined;
  const verb = gitVerb(invocation);
  const rule = verb === undefined ? ruleOf(name) : undefined;
  if (verb === undefined && !rule) return undefined;
  const words = args.map(({ text }) => text);
  if (words.some(onlyTells)) return undefined;
  if (verb !== undefined) return byGit(invocation, verb, words, protects);
  return rule?.(
    words.filter((word) => !word.startsWith("-")),
    words,
  );
}

function onlyTells(word: string): boolean {
  return ["--dry-run", "--help"].some((option) => word === option || word.startsWith(`${option}=`));
}

/** MCP tools, judged by name; their input is not checked. */
export function publicationByTool(name: string): Publication | undefined {
  if (/(?:create|publish)_release|publish_package/i.test(name)) return "release";
  return /(?:create|merge)_(?:pull|merge)_request|push_files|push_commits/i.test(name) ? "share" : undefined;
}

function byGit(
  invocation: Invocation,
  verb: string,
  words: readonly string[],
  protects: Protects,
): Publication | undefined {
  const push = pushOf(invocation);
  if (push) return push.tags ? "release" : protects(push, invocation) ? "protected" : "share";
  const isOther = verb === "send-email" || ((verb === "subtree" || verb === "lfs") && words.includes("push"));
  return isOther || (verb === "svn" && words.includes("dcommit")) ? "share" : undefined;
}

/** Receives the operands, and all words. */
type Rule = (operands: readonly string[], words: readonly string[]) => Publication | undefined;

function releases(pattern: RegExp): Rule {
  return (operands) => (pattern.test(operands.slice(0, 3).join(" ")) ? "release" : undefined);
}

const forge: Rule = (operands, words) => {
  const line = operands.join(" ");
  // Titles and bodies are prose; only a repository (`-R owner/name`) may stand before the verb.
  const verbs = [operands.slice(0, 2).join(" "), operands.slice(1, 3).join(" ")];
  if (verbs.some((verb) => /^release (?:create|upload|edit)$/.test(verb))) return "release";
  if (verbs.some((verb) => /^(?:pr|mr) (?:create|merge|new)$/.test(verb)) || /^pull-request/.test(line)) return "share";
  const sends = words.some((word) => /^(?:-[XfF]|--(?:method|field|raw-field|input))/.test(word));
  const method = words[words.findIndex((word) => /^(?:-X|--method)$/.test(word)) + 1];
  if (operands[0] !== "api" || !sends || (words.some((word) => /^(?:-X|--method)$/.test(word)) && method === "GET"))
    return undefined;
  return /\/releases/.test(line) ? "release" : /\/(?:pulls|merges|merge_requests)/.test(line) ? "share" : undefined;
};

const container: Rule = (operands, words) => {
  const line = operands.slice(0, 3).join(" ");
  const builds = /^(?:buildx )?(?:build|bake)\b/.test(line) && words.some((word) => /^--push(?:=true)?$/.test(word));
  return builds || /^(?:image |manifest |compose )?push\b/.test(line) ? "release" : undefined;
};

const PACKAGES = names(
  "npm pnpm yarn bun lerna changeset vsce ovsx jsr deno cargo poetry uv flit hatch pdm dart flutter",
);

function ruleOf(name: string): Rule | undefined {
  if (PACKAGES.has(name)) return (operands) => (operands.slice(0, 3).includes("publish") ? "release" : undefined);
  switch (name) {
    case "gh":
    case "glab":
    case "hub":
      return forge;
    case "hg":
      return (operands) => (operands[0] === "push" ? "share" : undefined);
    case "jj":
      return (operands) => (operands[0] === "git" && operands[1] === "push" ? "share" : undefined);
    case "semantic-release":
    case "release-it":
    case "np":
      return () => "release";
    case "docker":
    case "podman":
    case "nerdctl":
    case "buildah":
      return container;
    default: {
      const verb = verbOf(name);
      return verb && releases(verb);
    }
  }
}

/** The subcommands with which the other tools upload to their registry. */
function verbOf(name: string): RegExp | undefined {
  switch (name) {
    case "twine":
      return /^upload/;
    case "python":
    case "python3":
      return /^twine upload/;
    case "gem":
    case "nuget":
    case "helm":
      return /^push/;
    case "rake":
    case "goreleaser":
      return /^release/;
    case "mvn":
      return /(?:^|\s)deploy/;
    case "mix":
      return /^hex\.publish/;
    case "dotnet":
      return /^nuget push/;
    case "pod":
      return /^trunk push/;
    default:
      return undefined;
  }
}
