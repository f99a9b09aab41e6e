/** What tools other than the shell would show or send. */
import type { Tool } from "../../kernel/event.ts";
import { names } from "../../kernel/name-table.ts";
import type { Operation } from "../../kernel/operation.ts";
import { absolute, fromHome } from "../../kernel/paths.ts";
import { secretShapes } from "../../kernel/secrets.ts";
import { cloudKeys } from "./secret-kinds.ts";
import { type Leak, leakedToken } from "./secret-leak.ts";
import { secretAt } from "./secret-places.ts";
import { type SecretGround, secretIn } from "./secret-reach.ts";

type Of<K extends Tool["kind"]> = Tool & { readonly kind: K };

/** They list names and show no contents. */
const LISTS = names("Glob LS");

export function fileLeaks({ name, glob }: Of<"read">, { effects }: Operation, ground: SecretGround): readonly Leak[] {
  if (LISTS.has(name)) return [];
  const [effect] = effects;
  // A search goes as far as its pattern of names: `glob: ".env"` from the project's root.
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

/** A page is fetched by its address alone: what is secret in it is told to whoever serves it. */
export function webLeaks({ name, url = "" }: Of<"web">): readonly Leak[] {
  if (/\b169\.254\.(?:169\.254|170\.2)\b|metadata\.google\.internal/.test(url)) {
    return [{ way: "shown", decision: "deny", secret: cloudKeys(), by: name }];
  }
  return tokensIn([url], name);
}

/** What such a tool does is not known: keys and tokens in its input are worth a question. */
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
