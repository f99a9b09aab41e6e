/** A leak, and the choice of the strictest secret among several. */

import { text } from "../../../lib/text.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import { LET_IT_BE_USED, privateKey, type Secret } from "./kinds.ts";

export interface Leak {
  readonly way: "sent" | "shown" | "copied" | "handed" | "added";
  readonly decision: "deny" | "ask";
  readonly secret: Secret;
  readonly by: Invocation | string;
}

export function strictest(secrets: readonly (Secret | undefined)[]): Secret | undefined {
  let worst: Secret | undefined;
  let isOne = true;
  for (const secret of secrets) {
    if (!secret) continue;
    isOne &&= worst === undefined || secret === worst;
    if (weight(secret) > weight(worst)) worst = secret;
  }
  return isOne || !worst ? worst : withFiles(worst, filesOf(secrets));
}

/** Undefined if one of the secrets has no file that can be named. */
function filesOf(secrets: readonly (Secret | undefined)[]): readonly string[] | undefined {
  const all = secrets.flatMap((secret) => (secret ? [secret.files] : []));
  return all.includes(undefined) ? undefined : [...new Set(all.flatMap((files) => files ?? []))];
}

export function withFiles({ files: _, ...secret }: Secret, files: readonly string[] | undefined): Secret {
  return files === undefined ? secret : { ...secret, files };
}

function weight(secret: Secret | undefined): number {
  if (!secret) return 0;
  const shown = { deny: 3, ask: 2, pass: 1 }[secret.shown];
  return shown + (secret.sent === "deny" ? 4 : 0) + (secret.floor ? 8 : 0);
}

/** A secret written on the line itself or in the input of a tool. */
export function leakedToken(shape: string): Secret {
  if (shape.includes("PRIVATE KEY")) return privateKey();
  return {
    name: text("a token", "トークン"),
    instead: text(
      "Send it to the service it belongs to only, in the place for it; from a variable rather than written out.",
      "属するサービスにだけ、決められた場所で渡してください。直接書かず、変数を使ってください。",
    ),
    shown: "pass",
    sent: "deny",
    token: shape,
  };
}

export const homeItself: Secret = {
  name: text("a whole home directory, with the keys in it", "鍵を含むホームディレクトリ全体"),
  instead: LET_IT_BE_USED,
  shown: "pass",
  sent: "ask",
};
