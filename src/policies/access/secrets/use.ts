/** How a command treats the data it reads: shows it, copies it, uses it unseen, or reveals only sizes or names. */

import { names } from "../../../lib/name-table.ts";
import { isSink } from "../../../reading/operation/effects.ts";
import { hasOption } from "../../../reading/shell/parse/options.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";

/** Commands that print their input, plainly or encoded. */
const SHOWS = names(
  "cat tac nl less more most view bat batcat ccat rev fold fmt pr paste column expand unexpand iconv zcat zless gzcat bzcat " +
    "xzcat od hexdump hd xxd strings base32 base64 basenc uuencode cut uniq shuf comm cmp join diff sdiff colordiff head tail " +
    "grep egrep fgrep zgrep pcregrep rg ugrep ag ack awk gawk mawk nawk sed gsed perl jq gojq yq xmllint sort tee tr echo " +
    "printf printenv openssl sqlite3 plutil pygmentize ed ex dd tar gzip pigz bzip2 xz zstd gpg age",
);

export function shows({ name }: Invocation): boolean {
  return name !== undefined && SHOWS.has(name);
}

const COPIES = names("cp mv ln install dd tar zip 7z 7za ditto rsync scp split csplit rclone");
/** Commands whose copy is encrypted, or is next to the original under its name. */
const LOCKS = names("gpg age openssl gzip pigz bzip2 xz zstd");

export function copies({ name = "", redirects }: Invocation): boolean {
  return (
    COPIES.has(name) || (SHOWS.has(name) && redirects.some(({ kind, target }) => kind !== "read" && !isSink(target)))
  );
}

export function locks({ name = "" }: Invocation): boolean {
  return LOCKS.has(name);
}

/**
 * Commands that use a key by its path without showing it; `ansible*` and `gpg*` do the same. Others may be told which
 * key to use by an option for that.
 */
const USES_KEYS = names(
  "ssh ssh-add ssh-keygen ssh-copy-id ssh-agent sshfs autossh mosh sftp scp rsync terraform tofu kubectl helm docker docker-compose podman nerdctl k9s kubectx " +
    "aws gcloud az gsutil gh glab git openssl certbot nginx vagrant packer age sops keytool curl rclone sekisho",
);

export function usesKeys({ name = "" }: Invocation): boolean {
  const family = name.startsWith("ansible") || name.startsWith("gpg");
  return USES_KEYS.has(name) || (family && !/\s/.test(name));
}

/** Commands that see a name but not the content. */
const SEES_NAMES = names(
  "ls ll eza exa stat file test [ [[ find fd fdfind du df tree chmod chown chgrp chattr setfacl touch mkdir rmdir rm unlink " +
    "shred wc md5 basename dirname realpath readlink echo printf cd pushd export declare local readonly set unset alias " +
    "which type true false : for read",
);

export function seesNames({ name = "" }: Invocation): boolean {
  return SEES_NAMES.has(name) || isSum(name);
}

/** `sha256sum` and similar commands. */
function isSum(name: string): boolean {
  return name.endsWith("sum") && /^\w*$/.test(name);
}

const TELL_SIZES = names("wc md5 test [ true false");
const SEARCH = names("grep egrep fgrep zgrep rg ugrep ag ack");

/** The output reveals sizes, names or equality, but no values. */
export function tellsLittle(invocation: Invocation): boolean {
  const { name = "", args } = invocation;
  if (TELL_SIZES.has(name) || isSum(name)) return true;
  if (name === "cmp") return !hasOption(args, "lb", "--verbose", "--print-bytes");
  if (SEARCH.has(name))
    return (
      hasOption(
        withoutPatterns(args),
        "qclL",
        "--quiet",
        "--silent",
        "--count",
        "--files-with-matches",
        "--files-without-match",
      ) || seeksSettings(name, args)
    );
  const words = args.map(({ text }) => text);
  if (name === "cut") return /(?:^| )-d ?=(?: |$)/.test(words.join(" ")) && /(?:^| )-f ?1(?: |$)/.test(words.join(" "));
  if (/^g?sed$/.test(name)) return words.some((word) => /^s(\W)=\.\*\$?\1[^\\&]{0,12}\1[gp]{0,2}$/.test(word));
  if (/^[gmn]?awk$/.test(name))
    return words.includes("-F=") && words.some((word) => /^\{ ?print \$1;? ?\}$/.test(word));
  if (name === "openssl")
    return (
      words.some((word) => /^(?:-pubout|-noout|dgst|x509|req|verify|s_client)$/.test(word)) && !words.includes("-text")
    );
  return name === "gpg" && words.some((word) => /^--(?:import|verify|list|decrypt|fingerprint)|^-d$/.test(word));
}

/** `grep DATABASE_HOST .env`: every name in the pattern is one of a plain setting. */
function seeksSettings(name: string, args: readonly Word[]): boolean {
  if (!/^[ef]?grep$/.test(name) || args.some(({ text }) => text.startsWith("-") && !ONLY_MATCHES.test(text)))
    return false;
  const pattern = args.find(({ text }) => !text.startsWith("-"));
  if (!pattern?.literal) return false;
  const found = pattern.text.split(/\\?\|/);
  return found.every((name) => /^\^?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+[=:/]?$/.test(name) && !MAY_BE_SECRET.test(name));
}

/** Options with which only matching lines are printed. `-z`, `-v` and context show more. */
const ONLY_MATCHES = /^(?:-[inhHEFwrRso]+|--colou?r(?:=\w+)?)$/;

const MAY_BE_SECRET =
  /KEY|SECRET|TOKEN|PASS|PWD|CRED|PRIVATE|AUTH|SIGN|SALT|SEED|CERT|COOKIE|SESSION|DSN|LOGIN|(?:DATABASE|DB|REDIS|MONGO\w*|AMQP|POSTGRES\w*|CONNECTION)_?(?:URL|URI|STRING)|^DB_$|WEBHOOK/;

/** `-e -c` searches for "-c" and does not count. */
function withoutPatterns(args: readonly Word[]): readonly Word[] {
  return args.filter((_, at) => !/^-\w*[ef]$|^--(?:regexp|file)$/.test(args[at - 1]?.text ?? ""));
}
