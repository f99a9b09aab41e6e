/** What a command that reaches other machines would take along. */

import { absolute, fromHome } from "../../kernel/paths.ts";
import { secretShapes } from "../../kernel/secrets.ts";
import type { Invocation, Word } from "../../kernel/shell-reading.ts";
import { goesAstray, type Outward } from "./outward.ts";
import { type Flow, streamed } from "./secret-flow.ts";
import type { Secret } from "./secret-kinds.ts";
import { homeItself, type Leak, leakedToken, strictest } from "./secret-leak.ts";
import { secretAt } from "./secret-places.ts";
import { holdsHome } from "./secret-reach.ts";
import { secretVariable } from "./secret-sources.ts";

/** `read` is taken from the disk as it is, `received` comes by way of other commands. */
export function sentBy(
  by: Invocation,
  to: Outward,
  { read, received }: { readonly read: Secret | undefined; readonly received: Secret | undefined },
  flow: Flow,
): readonly Leak[] {
  const carried = strictest([read, received]);
  const decision = read ? carried?.sent : received && sendingIs(received, by, to, flow);
  return [
    ...(carried && decision ? [{ way: "sent" as const, decision, secret: carried, by }] : []),
    ...writtenOut(by, to).map((secret) => ({ way: "sent" as const, decision: "deny" as const, secret, by })),
    ...orderedBy(by, flow),
    ...[namedIn(by, to), takesHome(by, flow) ? homeItself : undefined].flatMap((secret): Leak[] =>
      secret ? [{ way: "sent", decision: "ask", secret, by }] : [],
    ),
  ];
}

/** A token is made to be shown to its own service, in the place for it; anything else is not made to be sent. */
function sendingIs(secret: Secret, { args, stdin }: Invocation, to: Outward, flow: Flow): Secret["sent"] | undefined {
  const { token, sent } = secret;
  if (!to.signs || secret.floor || goesAstray(token ?? "", to)) return sent;
  const inBody = streamed(stdin?.from ?? [], flow) !== undefined;
  const words = args.flatMap((word, at) => (streamed(word.from ?? [], flow) ? [isSignature(word, args[at - 1])] : []));
  const signs = !inBody && words.length > 0 && words.every(Boolean);
  // One value of a file may well be what the service asks for; who the service is, a person knows.
  if (token === undefined) return signs ? "ask" : sent;
  return signs || sent === "ask" ? undefined : "ask";
}

function isSignature({ text }: Word, before: Word | undefined): boolean {
  const option = /^(?:-\w*H|--header|-u|--user|--oauth2-bearer)/;
  return (
    /:\/\/[^/]*\$[^/]*@/.test(text) ||
    option.test(text) ||
    (option.test(before?.text ?? "") && !before?.text.includes("="))
  );
}

/** Secrets that stand in the line itself: a private key to anybody, a token to anybody but its own service. */
function writtenOut({ args, stdin }: Invocation, to: Outward): readonly Secret[] {
  const text = [...args.map((word) => word.text), stdin?.text ?? ""].join("\n");
  return secretShapes(text)
    .filter((shape) => !to.signs || goesAstray(shape, to) || leakedToken(shape).floor)
    .map(leakedToken);
}

/** A variable of the environment whose name says that it is a secret. */
function namedIn({ name = "", args }: Invocation, to: Outward): Secret | undefined {
  const found = secretVariable(args.map(({ literal, text }) => (literal ? "" : text)).join(" "));
  // What runs on one's own servers is often told its secrets so.
  const isOut = to.signs ? goesAstray(found?.token ?? "", to) : !/^(?:ssh|mosh|git|gh|glab)$/.test(name);
  return isOut ? found : undefined;
}

/** `put file`, `upload-file = file`: orders that are themselves given as text. */
function orderedBy(by: Invocation, { ground }: Flow): readonly Leak[] {
  const { name = "", args, stdin } = by;
  const takesOrders =
    /^(?:s?ftp|lftp|tftp|smbclient)$/.test(name) ||
    (name === "curl" && args.some(({ text }) => /^(?:-\w*K|--config)/.test(text)));
  if (!takesOrders) return [];
  const words = [...args.map(({ text }) => text), (stdin?.text ?? "").slice(0, ORDERS_MAX)]
    .join(" ")
    .split(/[\s"'=@,;]+/);
  const secret = strictest(
    words.map((word, at) => {
      const path = words[at - 1] === "-i" ? undefined : absolute(fromHome(word, ground.rules.home), by.cwd);
      return path === undefined ? undefined : secretAt(path, ground.rules);
    }),
  );
  return secret ? [{ way: "sent", decision: secret.sent, secret, by }] : [];
}

const ORDERS_MAX = 16_384;

function takesHome(invocation: Invocation, { effectsOf, ground }: Flow): boolean {
  return [invocation, ...(invocation.stdin?.from ?? [])].some(
    (each) =>
      each.name !== "find" &&
      effectsOf.get(each)?.some((effect) => effect.kind === "read" && holdsHome(effect, ground)) === true,
  );
}
