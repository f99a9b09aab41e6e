/** Secrets whose path a command hands to a program, to git or to a container. */

import { names } from "../../../lib/name-table.ts";
import { absolute, fromHome } from "../../../lib/paths.ts";
import { mayBeSecret } from "../../../reading/operation/secret-file.ts";
import { takesNames } from "../../../reading/programs/text.ts";
import { gitCommand } from "../../../reading/shell/commands/git.ts";
import { hasOption, optionValue } from "../../../reading/shell/parse/options.ts";
import { type Invocation, literalWord, type Word } from "../../../reading/shell/parse/reading.ts";
import type { Flow } from "./flow.ts";
import type { Secret } from "./kinds.ts";
import { type Leak, strictest } from "./leak.ts";
import { secretAt } from "./places.ts";
import { copies, seesNames, shows, usesKeys } from "./use.ts";

/** An unknown program gets the path of a key. */
export function handedBy(
  by: Invocation,
  read: Secret | undefined,
  received: Secret | undefined,
  { ground: { rules } }: Flow,
): readonly Leak[] {
  if (by.name === "git") return keptByGit(by, received, rules);
  if (read)
    return SENDS_BY_DESIGN.test(by.name ?? "") && read.floor
      ? [{ way: "handed", decision: "ask", secret: read, by }]
      : [];
  return !mayName(by) || seesNames(by) || shows(by) ? [] : handedOver(by, rules);
}

/** A cheap test, which nearly every command ends. */
function mayName({ args, cwd = "" }: Invocation): boolean {
  return mayBeSecret(`${cwd}/`) || args.some(({ text }) => mayBeSecret(`/${text}`));
}

function handedOver(by: Invocation, rules: Flow["ground"]["rules"]): readonly Leak[] {
  const isUser = usesKeys(by) && !copiesIn(by);
  const key = keyIn(by, isUser, rules);
  if (key) return [{ way: "handed", decision: isCertain(by) ? "deny" : "ask", secret: key, by }];
  const doubtful = isUser || takesNames(by.name ?? "") ? undefined : operandOf(by, rules);
  return doubtful ? [{ way: "handed", decision: "ask", secret: doubtful, by }] : [];
}

function keyIn(by: Invocation, isUser: boolean, rules: Flow["ground"]["rules"]): Secret | undefined {
  const secrets = by.args.map((word, at) => {
    const named = isUser ? undefined : namedBy(word, by, rules, !copies(by));
    const secret = named ?? quotedIn(word, by, rules);
    return secret?.floor && !isKeyOption(word, by.args[at - 1]) ? secret : undefined;
  });
  return strictest(secrets);
}

/** A path, not the bare name of a file; and not for the project's own script, which is read by itself. */
function isCertain({ word, args }: Invocation): boolean {
  return !/^[^/~].*\//.test(word.text) && args.some(({ text }) => text.includes("/"));
}

/** `docker cp key …` and `kubectl create … --from-file=key` take a key along; otherwise these use one in its place. */
function copiesIn({ name = "", args }: Invocation): boolean {
  return CONTAINERS.has(name) && args.some(({ text }) => text === "cp" || text === "configmap");
}

const CONTAINERS = names("docker podman nerdctl kubectl oc");

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
  const isWhole = adds && placesOf(by).some((word) => namedBy(word, by, rules, true)?.floor);
  return [{ way: "added", decision: isWhole ? "deny" : "ask", secret: kept, by }];
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
