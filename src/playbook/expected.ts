/** The result that a command must have: `exit N`, `>= N`, `<= N`, `== N`, `N`, `contains TEXT`. Without one, `exit 0`. */

export type Expected =
  | { readonly exit: number }
  | { readonly atLeast: number }
  | { readonly atMost: number }
  | { readonly equals: number }
  | { readonly contains: string };

const RELATIONS: Readonly<Record<string, "atLeast" | "atMost">> = {
  ">=": "atLeast",
  "≥": "atLeast",
  "<=": "atMost",
  "≤": "atMost",
};

export interface Outcome {
  readonly exit: number;
  readonly output: string;
}

/** Undefined if the words have none of the forms. */
export function expectedIn(words: string | undefined): Expected | undefined {
  const text = (words ?? "exit 0").trim();
  const [, code] = /^(?:exit(?:s)?(?:\s+(?:code|with))*|終了コード)\s*[:：=]?\s*(\d{1,3})[.。]?$/i.exec(text) ?? [];
  if (code !== undefined) return { exit: Number(code) };
  const [, relation = "==", number] = /^(>=|≥|<=|≤|==?)?\s*(\d{1,9})[.。]?$/.exec(text) ?? [];
  if (number !== undefined) return { [RELATIONS[relation] ?? "equals"]: Number(number) } as unknown as Expected;
  const [, quoted, plain] = /^contains\s+(?:(?:'|"|`)(.+)(?:'|"|`)|(\S.*))$/i.exec(text) ?? [];
  const part = quoted ?? plain;
  return part === undefined ? undefined : { contains: part };
}

/** A number or a text counts only if the command also exited with 0. */
export function isMet(expected: Expected, { exit, output }: Outcome): boolean {
  if ("exit" in expected) return exit === expected.exit;
  if (exit !== 0) return false;
  if ("contains" in expected) return output.includes(expected.contains);
  const [, number] = /^\s*(\d{1,15})\s*$/.exec(output) ?? [];
  if (number === undefined) return false;
  if ("atLeast" in expected) return Number(number) >= expected.atLeast;
  return "atMost" in expected ? Number(number) <= expected.atMost : Number(number) === expected.equals;
}
