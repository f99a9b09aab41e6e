/** The secrets that a command would show to the model, copy to an unprotected path, or pass to an unknown program. */

import { isWord } from "../../../lib/name-table.ts";
import { absolute } from "../../../lib/paths.ts";
import { gitCommand } from "../../../reading/shell/commands/git.ts";
import { hasOption } from "../../../reading/shell/parse/options.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";
import type { Flow } from "./flow.ts";
import type { Secret } from "./kinds.ts";
import { type Leak, strictest } from "./leak.ts";
import { secretAt } from "./places.ts";
import { secretFrom } from "./sources.ts";
import { copies, locks, seesNames, shows, usesKeys } from "./use.ts";

/** `read` comes from disk directly; `held` is the strictest of all secrets the command has. */
export function shownBy(
  by: Invocation,
  read: Secret | undefined,
  held: Secret | undefined,
  flow: Flow,
): readonly Leak[] {
  const copying = copies(by);
  const way = copying ? "copied" : "shown";
  // A key must not be read at all, except by programs that use it without showing it.
  if (read?.shown === "deny") {
    return usesKeys(by) && !copying && !shows(by) ? [] : [{ way, decision: "deny", secret: read, by }];
  }
  if (!held || held.shown === "pass" || !getsOut(by, held, copying, flow)) return [];
  return [{ way, decision: held.shown, secret: held, by }];
}

function getsOut(by: Invocation, { token, sent }: Secret, copying: boolean, flow: Flow): boolean {
  if (locksAway(by, flow)) return false;
  // Many tools get their token from a file into which a variable is written.
  if (copying) return !(token !== undefined && sent === "ask") && !keepsName(by, flow);
  return (shows(by) || secretFrom(by) !== undefined) && !flow.consumed().has(by);
}

function locksAway(by: Invocation, { effectsOf }: Flow): boolean {
  const wanted = by.name === "openssl" ? "write" : "read";
  return locks(by) && effectsOf.get(by)?.some(({ kind }) => kind === wanted) === true;
}

/** The copy is still recognized as a secret, or has the same name in another directory. */
function keepsName(by: Invocation, { effectsOf, ground }: Flow): boolean {
  const written = (effectsOf.get(by) ?? []).filter(({ kind }) => kind === "write");
  return written.every(({ path, spelled, literal }) => {
    const known = secretAt(path, ground.rules);
    return literal && (/(?:^|\/)\.{0,2}\/?$/.test(spelled) || (known !== undefined && !known.floor));
  });
}

/** An unknown program gets the path of a key. */
export function handedBy(
  by: Invocation,
  read: Secret | undefined,
  received: Secret | undefined,
  { ground }: Flow,
): readonly Leak[] {
  if (by.name === "git") return keptByGit(by, received, ground.rules);
  if (read)
    return read.floor && SENDS_BY_DESIGN.test(by.name ?? "")
      ? [{ way: "handed", decision: "ask", secret: read, by }]
      : [];
  if (usesKeys(by) || seesNames(by) || shows(by)) return [];
  const secrets = by.args.map((word, at) => {
    const secret = namedBy(word, by, ground.rules);
    return secret?.floor && !isKeyOption(word, by.args[at - 1]) ? secret : undefined;
  });
  const secret = strictest(secrets);
  return secret ? [{ way: "handed", decision: "ask", secret, by }] : [];
}

const SENDS_BY_DESIGN = /^(?:gh|glab|aws|gcloud|az)$/;

/** A file added to git goes wherever the repository goes; git can also show files outside the repository. */
function keptByGit(by: Invocation, received: Secret | undefined, rules: Flow["ground"]["rules"]): readonly Leak[] {
  const { verb = "", args } = gitCommand(by.args);
  const shows = args.some(({ text }) => text === "--no-index") || (verb === "config" && hasOption(args, "f", "--file"));
  const adds = verb === "add" || verb === "stage";
  const named = shows || adds ? strictest(args.map((word) => namedBy(word, by, rules))) : undefined;
  if (shows && named && named.shown !== "pass") return [{ way: "shown", decision: named.shown, secret: named, by }];
  const kept = adds ? named : verb === "commit" || verb === "tag" || verb === "notes" ? received : undefined;
  return kept?.sent === "deny" ? [{ way: "added", decision: "ask", secret: kept, by }] : [];
}

function namedBy({ text, literal }: Word, { cwd }: Invocation, rules: Flow["ground"]["rules"]): Secret | undefined {
  const at = text.startsWith("-") ? text.indexOf("=") : -1;
  const word = at > 1 && isWord(text.slice(0, at).replaceAll("-", "")) ? text.slice(at + 1) : text;
  const path = literal ? absolute(word, cwd) : undefined;
  const secret = path === undefined ? undefined : secretAt(path, rules);
  return secret && !/\s/.test(text) ? secret : undefined;
}

/** `-i key`, `--private-key key`, `--kubeconfig=key` tell the program which key to use. */
function isKeyOption({ text }: Word, before: Word | undefined): boolean {
  const option = /^--?[\w-]+(?==)/.exec(text)?.[0] ?? before?.text ?? "";
  return /^-[ik]$|^--[\w-]*(?:key|identity|cert|config|credential|auth)/i.test(option);
}
