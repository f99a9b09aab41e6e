/** Redirections of a command: what it writes, what it reads, what flows in. */

import type * as Syntax from "unbash";
import { absolute } from "./paths.ts";
import type { Redirect, Stream, Word } from "./shell-reading.ts";
import { type Expansion, expandHereDoc, expandToOne } from "./shell-words.ts";

export interface Redirections {
  readonly redirects: readonly Redirect[];
  readonly stdin: Stream | undefined;
}

export function readRedirects(nodes: readonly Syntax.Redirection[], expansion: Expansion): Redirections {
  const redirects: Redirect[] = [];
  let stdin: Stream | undefined;
  for (const node of nodes) {
    if (node.type === "HereDoc") stdin = textStream(expandHereDoc(node.body, expansion));
    else if (node.type === "HereString")
      stdin = node.target && textStream(expandToOne(node.target, expansion)[0], "\n");
    else
      for (const redirect of plain(node, expansion)) {
        redirects.push(redirect);
        if (redirect.kind === "read") stdin = fileContent(redirect.target, expansion);
      }
  }
  return { redirects, stdin };
}

function plain(node: Syntax.Redirect, expansion: Expansion): Redirect[] {
  if (!node.target) return [];
  const targets = expandToOne(node.target, expansion);
  if (duplicates(node.operator, targets[0])) return [];
  const kind = node.operator === "<" ? "read" : node.operator.endsWith(">>") ? "append" : "write";
  return targets.map((target) => ({ kind, target }));
}

/** `2>&1`, `<&3`, `>&-`: descriptors, not files. */
function duplicates(operator: string, target: Word | undefined): boolean {
  return operator === "<&" || (operator === ">&" && /^(?:\d+-?|-|\$.*)$/.test(target?.text ?? ""));
}

function textStream(word: Word | undefined, end = ""): Stream {
  return { text: word?.literal ? word.text + end : undefined, from: word?.from ?? [] };
}

/** Undefined for a file on the disk: to feed it to a shell is to run a script by its name. */
function fileContent(target: Word, { scope }: Expansion): Stream | undefined {
  if (!target.literal || /^\/dev\/(?:tcp|udp)\//.test(target.text)) return { text: undefined, from: [] };
  const path = absolute(target.text, scope.cwd);
  if (path === "/dev/null") return { text: "", from: [] };
  return path === undefined ? undefined : scope.files.get(path);
}
