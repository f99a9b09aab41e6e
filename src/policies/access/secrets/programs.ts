/** Key material in inline programs. */
import { absolute, fromHome } from "../../../lib/paths.ts";
import { skeletonOf } from "../../../reading/programs/skeleton.ts";
import type { Program } from "../../../reading/shell/parse/reading.ts";
import type { Secret } from "./kinds.ts";
import { type Leak, strictest } from "./leak.ts";
import { secretAt } from "./places.ts";
import type { SecretGround } from "./reach.ts";
import { environment } from "./sources.ts";

const callsOutPattern = (): RegExp =>
  /\b(?:urlopen|urllib|requests\s*\.|httpx|aiohttp|http\.client|socket|smtplib|ftplib|paramiko|fetch\s*\(|axios|https?\.(?:request|get)|XMLHttpRequest|WebSocket|net\.connect|dns\.|Net::(?:HTTP|SMTP|FTP)|LWP|IO::Socket|TCPSocket|open-uri|curl_init|fsockopen|mail\s*\()|["'\u0060](?:curl|wget|ncat|nc|scp|rsync|sftp)\b/;
const readsPattern = (): RegExp =>
  /\b(?:open|read\w*|slurp|File|IO|cat|head|tail|getline|file_get_contents|fopen|copy\w*|Path|base64)\b/;

const allVariablesPattern = (): RegExp =>
  /\(\s*(?:process\.env|os\.environ|ENV)\s*[,)]|\bdict\(os\.environ\)|\bENV\.to_|%ENV\b/;

/** `fed` is a secret in the input of an interpreter on the line. */
export function programLeaks(
  programs: readonly Program[],
  ground: SecretGround,
  fed: Secret | undefined,
): readonly Leak[] {
  return programs.flatMap((program): Leak[] => {
    const named =
      readsPattern().test(program.text) || callsOutPattern().test(program.text)
        ? strictest(wordsIn(program).map((word) => placeOf(word, program, ground)))
        : undefined;
    const by = program.language;
    if (callsOutPattern().test(program.text)) {
      const secret = strictest([named, fed, allVariablesPattern().test(program.text) ? environment : undefined]);
      return secret ? [{ way: "sent", decision: secret.sent, secret, by }] : [];
    }
    return named && named.shown !== "pass" ? [{ way: "shown", decision: named.shown, secret: named, by }] : [];
  });
}

const WORDS_MAX = 400;

/** The words of the program's strings, each a path or a part of one: `home / ".ssh" / "id_rsa"`. */
function wordsIn({ language, text }: Program): readonly string[] {
  const { strings } = skeletonOf(language, text);
  const words = strings.flatMap((string) => string.text.split(/[\s'"`;|&<>()=@,]+/)).filter((word) => word !== "");
  return words.slice(0, WORDS_MAX);
}

function placeOf(word: string, { cwd }: Program, { rules, cwd: here }: SecretGround): Secret | undefined {
  const home = word.replace(/^\$\{?HOME\}?(?=\/)/, "~");
  const path = absolute(fromHome(home, rules.home), cwd ?? here);
  return path === undefined
    ? undefined
    : (secretAt(path, rules) ?? (word.startsWith("/") ? secretAt(rules.home + word, rules) : undefined));
}
