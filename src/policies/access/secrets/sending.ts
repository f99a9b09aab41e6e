/** The secrets that a command would send to other machines. */

import { absolute, fromHome } from "../../../lib/paths.ts";
import { secretShapes } from "../../../lib/secrets.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";
import { type Flow, streamed } from "./flow.ts";
import type { Secret } from "./kinds.ts";
import { homeItself, type Leak, leakedToken, strictest } from "./leak.ts";
import { goesAstray, type Outward } from "./outward.ts";
import { secretAt } from "./places.ts";
import { holdsHome } from "./reach.ts";
import { secretVariable } from "./sources.ts";

/** `read` comes from disk directly, `received` from other commands. */
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

/** A token may be sent to its own service in the usual place; any other secret must not be sent. */
function sendingIs(secret: Secret, { args, stdin }: Invocation, to: Outward, flow: Flow): Secret["sent"] | undefined {
  const { token, sent } = secret;
  if (!to.signs || secret.floor || goesAstray(token ?? "", to)) return sent;
  const inBody = streamed(stdin?.from ?? [], flow) !== undefined;
  const words = args.flatMap((word, at) => (streamed(word.from ?? [], flow) ? [isSignature(word, args[at - 1])] : []));
  const signs = !inBody && words.length > 0 && words.every(Boolean);
  // A single value from a file may be what the service needs; a person knows whether the service is the right one.
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

/** Secrets written on the line: a private key to any host, a token to any host but its own service. */
function writtenOut({ args, stdin }: Invocation, to: Outward): readonly Secret[] {
  const text = [...args.map((word) => word.text), stdin?.text ?? ""].join("\n");
  return secretShapes(text)
    .filter((shape) => !to.signs || goesAstray(shape, to) || leakedToken(shape).floor)
    .map(leakedToken);
}

/** An environment variable whose name marks it as a secret. */
function namedIn({ name = "", args }: Invocation, to: Outward): Secret | undefined {
  const found = secretVariable(args.map(({ literal, text }) => (literal ? "" : text)).join(" "));
  // Commands on one's own servers often get their secrets this way.
  const isOut = to.signs ? goesAstray(found?.token ?? "", to) : !/^(?:ssh|mosh|git|gh|glab)$/.test(name);
  return isOut ? found : undefined;
}

/** `put file`, `upload-file = file`: transfer commands given as text. */
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
      !isRequest(each) &&
      effectsOf.get(each)?.some((effect) => effect.kind === "read" && holdsHome(effect, ground)) === true,
  );
}

/** Its words name what is asked for. A file goes with it only by an option, a directory never. */
function isRequest({ name = "", args }: Invocation): boolean {
  return (name === "gh" || name === "glab") && args[0]?.text === "api";
}
