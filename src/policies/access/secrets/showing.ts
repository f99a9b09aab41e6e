/** The secrets that a command would show to the model, copy to an unprotected path, or pass to an unknown program. */

import { names } from "../../../lib/name-table.ts";
import { absolute, fromHome } from "../../../lib/paths.ts";
import { takesNames } from "../../../reading/programs/text.ts";
import { gitCommand } from "../../../reading/shell/commands/git.ts";
import { hasOption, optionValue } from "../../../reading/shell/parse/options.ts";
import { type Invocation, literalWord, type Word } from "../../../reading/shell/parse/reading.ts";
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
  if (seesNames(by) || shows(by)) return [];
  const usesThem = usesKeys(by);
  const secrets = by.args.map((word, at) => {
    const named = usesThem ? undefined : namedBy(word, by, ground.rules, true);
    const secret = named ?? quotedIn(word, by, ground.rules);
    return secret?.floor && !isKeyOption(word, by.args[at - 1]) ? secret : undefined;
  });
  const secret = strictest(secrets);
  if (secret) return [{ way: "handed", decision: "deny", secret, by }];
  const doubtful = usesThem || takesNames(by.name ?? "") ? undefined : operandOf(by, ground.rules);
  return doubtful ? [{ way: "handed", decision: "ask", secret: doubtful, by }] : [];
}

/** An env file that an unknown program is given as a file of its own, not as the value of an option. */
function operandOf(by: Invocation, rules: Flow["ground"]["rules"]): Secret | undefined {
  const operands = by.args.filter(({ text }, at) => !text.startsWith("-") && !by.args[at - 1]?.text.startsWith("-"));
  const secrets = operands.map((word) => (/[/.]/.test(word.text) ? namedBy(word, by, rules) : undefined));
  return strictest(secrets.map((secret) => (secret?.shown === "ask" ? secret : undefined)));
}

/** A key named in the code of a database: `pg_read_file('/home/dev/.ssh/id_rsa')`. */
function quotedIn({ text, literal }: Word, by: Invocation, rules: Flow["ground"]["rules"]): Secret | undefined {
  if (!literal || !RUNS_SQL.has(by.name ?? "") || !text.includes("'")) return undefined;
  const quotes = text.match(/'[^'\s]+'/g)?.slice(0, QUOTES_MAX) ?? [];
  return strictest(quotes.map((quote) => namedBy(literalWord(quote.slice(1, -1)), by, rules)));
}

const RUNS_SQL = names("psql pgcli mysql mariadb sqlite3 duckdb clickhouse-client");
const QUOTES_MAX = 20;

const SENDS_BY_DESIGN = /^(?:gh|glab|aws|gcloud|az)$/;

/** A file added to git goes wherever the repository goes; git can also show files outside the repository. */
function keptByGit(by: Invocation, received: Secret | undefined, rules: Flow["ground"]["rules"]): readonly Leak[] {
  const { verb = "", args } = gitCommand(by.args);
  const shows = args.some(({ text }) => text === "--no-index") || (verb === "config" && hasOption(args, "f", "--file"));
  const adds = ADDS.has(verb);
  const words = adds ? [...args, ...placesOf(by)] : args;
  const named = shows || adds ? strictest(words.map((word) => namedBy(word, by, rules, adds))) : undefined;
  if (shows && named && named.shown !== "pass") return [{ way: "shown", decision: named.shown, secret: named, by }];
  const kept = adds ? named : verb === "commit" || verb === "tag" || verb === "notes" ? received : undefined;
  if (kept?.sent !== "deny") return [];
  return [{ way: "added", decision: adds && kept.floor ? "deny" : "ask", secret: kept, by }];
}

const ADDS = names("add stage hash-object send-email");

/** The directory that git takes files from. */
function placesOf({ args, cwd }: Invocation): readonly Word[] {
  const named = optionValue(args, ["--work-tree"]) ?? optionValue(args, ["-C"]);
  return named ? [named] : cwd === undefined ? [] : [literalWord(cwd)];
}

/** `whole`: a directory of keys counts too. What stands before the path is dropped: `@`, `name@`, `option=`. */
function namedBy(
  { text, literal }: Word,
  { cwd }: Invocation,
  rules: Flow["ground"]["rules"],
  whole = false,
): Secret | undefined {
  if (!literal || /\s/.test(text)) return undefined;
  const lead = /^(?:-[A-Za-z](?=[/~])|--?[\w-]+=|[\w.:-]+=@?|[\w.-]*@)/.exec(text)?.[0] ?? "";
  const tries = lead === "" ? [text] : [text, text.slice(lead.length)];
  return strictest(
    tries.map((word) => {
      const path = absolute(fromHome(word, rules.home), cwd);
      return path === undefined ? undefined : secretAt(path, rules, whole);
    }),
  );
}

/** `-i key`, `--private-key key`, `--kubeconfig=key` tell the program which key to use. */
function isKeyOption({ text }: Word, before: Word | undefined): boolean {
  const option = /^--?[\w-]+(?==)/.exec(text)?.[0] ?? before?.text ?? "";
  return /^-[ik]$|^--[\w-]*(?:key|identity|cert|config|credential|auth)/i.test(option);
}
