/** Commands by which something leaves for others: shared with the team, or released to everybody. */
import { gitVerb } from "../../kernel/git-site.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";
import { pushOf } from "./push.ts";

/** `share`: the team's own remote. `release`: what strangers can fetch a minute later, and nothing calls back. */
export type Publication = "share" | "release";

export function publicationOf(invocation: Invocation): Publication | undefined {
  const { name, args } = invocation;
  if (name === undefined) return undefined;
  const words = args.map(({ text }) => text);
  if (words.some((word) => /^--(?:dry-run|help)(?:=|$)/.test(word))) return undefined;
  const verb = gitVerb(invocation);
  if (verb !== undefined) return byGit(invocation, verb, words);
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  return rule?.(
    words.filter((word) => !/^-/.test(word)),
    words,
  );
}

/** Tools of a server, by their names: what they are told is not looked at. */
export function publicationByTool(name: string): Publication | undefined {
  if (/(?:create|publish)_release|publish_package/i.test(name)) return "release";
  return /(?:create|merge)_(?:pull|merge)_request|push_files|push_commits/i.test(name) ? "share" : undefined;
}

function byGit(invocation: Invocation, verb: string, words: readonly string[]): Publication | undefined {
  const push = pushOf(invocation);
  if (push) return push.tags ? "release" : "share";
  const isOther = verb === "send-email" || ((verb === "subtree" || verb === "lfs") && words.includes("push"));
  return isOther || (verb === "svn" && words.includes("dcommit")) ? "share" : undefined;
}

/** Sees the operands, and all words. */
type Rule = (operands: readonly string[], words: readonly string[]) => Publication | undefined;

const releases =
  (pattern: RegExp): Rule =>
  (operands) =>
    pattern.test(operands.slice(0, 3).join(" ")) ? "release" : undefined;

const forge: Rule = (operands, words) => {
  const line = operands.join(" ");
  if (/(?:^|\s)release (?:create|upload|edit)(?:\s|$)/.test(line)) return "release";
  if (/(?:^|\s)(?:pr|mr) (?:create|merge|new)(?:\s|$)|^pull-request/.test(line)) return "share";
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

const packages = releases(/(?:^|\s)publish(?:\s|$)/);
const always: Rule = () => "release";

const RULES: Readonly<Record<string, Rule>> = {
  gh: forge,
  glab: forge,
  hub: forge,
  hg: (operands) => (operands[0] === "push" ? "share" : undefined),
  jj: (operands) => (operands[0] === "git" && operands[1] === "push" ? "share" : undefined),
  npm: packages,
  pnpm: packages,
  yarn: packages,
  bun: packages,
  lerna: packages,
  changeset: packages,
  vsce: packages,
  ovsx: packages,
  jsr: packages,
  deno: packages,
  cargo: packages,
  poetry: packages,
  uv: packages,
  flit: packages,
  hatch: packages,
  pdm: packages,
  dart: packages,
  flutter: packages,
  "semantic-release": always,
  "release-it": always,
  np: always,
  twine: releases(/^upload/),
  python: releases(/^twine upload/),
  python3: releases(/^twine upload/),
  gem: releases(/^push/),
  rake: releases(/^release/),
  mvn: releases(/(?:^|\s)deploy/),
  mix: releases(/^hex\.publish/),
  nuget: releases(/^push/),
  dotnet: releases(/^nuget push/),
  pod: releases(/^trunk push/),
  helm: releases(/^push/),
  goreleaser: releases(/^release/),
  docker: container,
  podman: container,
  nerdctl: container,
  buildah: container,
};
