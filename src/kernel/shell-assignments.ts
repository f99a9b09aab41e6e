/** The words and assignments of a simple command, past the places where the parser and the shell disagree. */

import type * as Syntax from "unbash";
import type { Call } from "./shell-call.ts";
import { literalWord, type Word } from "./shell-reading.ts";
import { assign, oneOf, type Scope } from "./shell-scope.ts";
import { type Expansion, expandToOne, expandWords } from "./shell-words.ts";

/** The parser reads `V=<(a) rm x` as the command `<(a)`: what follows is the real one. */
export function hidesCommand(node: Syntax.Command): boolean {
  const last = node.prefix[node.prefix.length - 1];
  const substitution = node.name?.parts?.[0]?.type === "ProcessSubstitution";
  return substitution && last?.type === "Assignment" && last.end === node.name?.pos;
}

export function wordsOf(node: Syntax.Command, hidden: boolean, expansion: Expansion): Syntax.Word[] {
  if (hidden && node.name) expandToOne(node.name, expansion);
  const words: Syntax.Word[] = node.name && !hidden ? [node.name] : [];
  for (const arg of node.args) words.push(arg.type === "Word" ? arg : assignmentWord(arg));
  return words;
}

/** `export A=b`: the parser makes an assignment of it, the command sees a word. */
function assignmentWord({ name, value, pos, end, text }: Syntax.Assignment): Syntax.Word {
  const head = { type: "Literal", value: `${name}=`, text: `${name}=`, pos, end: pos } as const;
  if (value.type === "ArrayValue") return { type: "Word", text, value: text, pos, end, parts: [head] };
  const tail = value.parts ?? [
    { type: "Literal", value: value.value, text: value.text, pos: value.pos, end: value.end } as const,
  ];
  return { type: "Word", text, value: text, pos, end, parts: [head, ...tail] };
}

export function readAssignments(node: Syntax.Command, expansion: Expansion, scope: Scope): Call["assignments"] {
  const found: { name: string; value: Word }[] = [];
  for (const prefix of node.prefix) {
    if (prefix.type !== "Assignment") continue;
    const { value, name } = prefix;
    if (value.type === "ArrayValue") {
      const fields = expandWords(value.elements, expansion)[0] ?? [];
      assign(scope, name, { ...oneOf(fields[0] ?? literalWord("")), fields });
      continue;
    }
    const options = expandToOne(value, expansion);
    for (const option of options) found.push({ name, value: option });
    if (!node.name) assign(scope, name, prefix.append ? { options: [], open: true } : oneOf(...options));
  }
  return found;
}
