/** Leaks through tools other than the shell. */

import { names } from "../../../lib/name-table.ts";
import { absolute, fromHome } from "../../../lib/paths.ts";
import { secretShapes } from "../../../lib/secrets.ts";
import type { Operation } from "../../../reading/operation/operation.ts";
import type { Tool } from "../../../reading/tool.ts";
import { cloudKeys } from "./kinds.ts";
import { type Leak, leakedToken } from "./leak.ts";
import { secretAt } from "./places.ts";
import { type SecretGround, secretIn } from "./reach.ts";

type Of<K extends Tool["kind"]> = Tool & { readonly kind: K };

/** Tools that list names and show no contents. */
const LISTS = names("Glob LS");

export function fileLeaks({ name, glob }: Of<"read">, { effects }: Operation, ground: SecretGround): readonly Leak[] {
  if (LISTS.has(name)) return [];
  const [effect] = effects;
  // A search reads whatever its name pattern matches: `glob: ".env"` from the project's root.
  const searched = glob === undefined ? undefined : absolute(glob, effect?.path ?? ground.cwd);
  const secret =
    (effect && secretIn(effect, ground)) ?? (searched === undefined ? undefined : searchedBy(searched, ground));
  return secret && secret.shown !== "pass" ? [{ way: "shown", decision: secret.shown, secret, by: name }] : [];
}

function searchedBy(path: string, { rules }: SecretGround): ReturnType<typeof secretAt> {
  return secretAt(
    path
      .replace(/\*\*\//g, "")
      .replace(/(?<=\.env)\*$|\*+$/, "")
      .replace(/\*/g, "x"),
    rules,
  );
}

/** A secret in a URL is revealed to the server. */
export function webLeaks({ name, url = "" }: Of<"web">): readonly Leak[] {
  if (/\b169\.254\.(?:169\.254|170\.2)\b|metadata\.google\.internal/.test(url)) {
    return [{ way: "shown", decision: "deny", secret: cloudKeys(), by: name }];
  }
  return tokensIn([url], name);
}

/** The effect of such a tool is unknown, so keys and tokens in its input lead to a question. */
export function strangerLeaks({ name, words }: Of<"mcp" | "unknown">, { rules, cwd }: SecretGround): readonly Leak[] {
  const named = words.flatMap((word): Leak[] => {
    const path = /\s/.test(word) ? undefined : absolute(fromHome(word.replace(/^file:\/\//, ""), rules.home), cwd);
    const secret = path === undefined ? undefined : secretAt(path, rules);
    return secret && secret.shown !== "pass" ? [{ way: "handed", decision: "ask", secret, by: name }] : [];
  });
  return [...named, ...tokensIn(words, name)];
}

function tokensIn(words: readonly string[], by: string): readonly Leak[] {
  return secretShapes(words.join("\n")).map((shape) => ({
    way: "sent",
    decision: "ask",
    secret: leakedToken(shape),
    by,
  }));
}
