/** What a command would show to the model, copy to where no rule knows it, or hand to somebody unknown. */

import { absolute } from "../../kernel/paths.ts";
import { gitCommand } from "../../kernel/shell-git.ts";
import { hasOption } from "../../kernel/shell-options.ts";
import type { Invocation, Word } from "../../kernel/shell-reading.ts";
import type { Flow } from "./secret-flow.ts";
import type { Secret } from "./secret-kinds.ts";
import { type Leak, strictest } from "./secret-leak.ts";
import { secretAt } from "./secret-places.ts";
import { secretFrom } from "./secret-sources.ts";
import { copies, locks, seesNames, shows, usesKeys } from "./secret-use.ts";

/** `read` is what it takes from the disk itself, `held` all that it has. */
export function shownBy(
  by: Invocation,
  read: Secret | undefined,
  held: Secret | undefined,
  flow: Flow,
): readonly Leak[] {
  const copying = copies(by);
  const way = copying ? "copied" : "shown";
  // A key is not read at all, whatever becomes of it; but for those who work with it unseen.
  if (read?.shown === "deny") {
    return usesKeys(by) && !copying && !shows(by) ? [] : [{ way, decision: "deny", secret: read, by }];
  }
  if (!held || held.shown === "pass" || !getsOut(by, held, copying, flow)) return [];
  return [{ way, decision: held.shown, secret: held, by }];
}

function getsOut(by: Invocation, { token, sent }: Secret, copying: boolean, flow: Flow): boolean {
  if (locksAway(by, flow)) return false;
  // Writing a variable into a file is how many a tool gets its token.
  if (copying) return !(token !== undefined && sent === "ask") && !keepsName(by, flow);
  return (shows(by) || secretFrom(by) !== undefined) && !flow.consumed().has(by);
}

function locksAway(by: Invocation, { effectsOf }: Flow): boolean {
  const wanted = by.name === "openssl" ? "write" : "read";
  return locks(by) && effectsOf.get(by)?.some(({ kind }) => kind === wanted) === true;
}

/** The copy is known for what it is, or lies under the old name in another directory. */
function keepsName(by: Invocation, { effectsOf, ground }: Flow): boolean {
  const written = (effectsOf.get(by) ?? []).filter(({ kind }) => kind === "write");
  return written.every(({ path, spelled, literal }) => {
    const known = secretAt(path, ground.rules);
    return literal && (/(?:^|\/)\.{0,2}\/?$/.test(spelled) || (known !== undefined && !known.floor));
  });
}

/** A program we do not know is given a key by its name. */
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

/** What git is told to keep goes wherever the repository goes; and it can show files that are none of its own. */
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
  const word = text.startsWith("-") ? text.replace(/^--?[\w-]+=/, "") : text;
  const path = literal ? absolute(word, cwd) : undefined;
  const secret = path === undefined ? undefined : secretAt(path, rules);
  return secret && !/\s/.test(text) ? secret : undefined;
}

/** `-i key`, `--private-key key`, `--kubeconfig=key`: it is told which key to use. */
function isKeyOption({ text }: Word, before: Word | undefined): boolean {
  const option = /^--?[\w-]+(?==)/.exec(text)?.[0] ?? before?.text ?? "";
  return /^-[ik]$|^--[\w-]*(?:key|identity|cert|config|credential|auth)/i.test(option);
}
