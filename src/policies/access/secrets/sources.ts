/** Commands and variables that yield a secret without naming a file. */

import { inline, text } from "../../../lib/text.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";
import { cloudKeys, LET_IT_BE_USED, privateKey, type Secret } from "./kinds.ts";

/** The secret that a command prints by itself, if any. */
export function secretFrom(invocation: Invocation): Secret | undefined {
  const { name, args } = invocation;
  if (name === undefined) return undefined;
  const rows = rowsOf(name, args);
  if (rows.length > 0) {
    const line = args.map((word) => word.text).join(" ");
    const row = rows.find(([words]) => words.test(line));
    if (row) return row[1];
  }
  if (name === "printenv") return secretVariable(args.map((word) => `$${word.text}`).join(" "));
  if (name !== "echo" && name !== "printf") return undefined;
  return secretVariable(args.map(unknownText).join(" "));
}

function unknownText({ literal, text: spelled }: Word): string {
  return literal ? "" : spelled;
}

/** A secret environment variable that a text expands; its length or a test whether it is set reveals nothing. */
export function secretVariable(spelled: string): Secret | undefined {
  for (const [, plain, braced] of withoutCommands(spelled).matchAll(/\$(?:(\w+)|\{(\w+)\})/g)) {
    const name = plain ?? braced ?? "";
    if (secretVariablePattern().test(name)) return variable(name);
  }
  return undefined;
}

/** The commands in a substitution are judged by themselves: `$([ -n "$KEY" ] && echo yes)` prints no key. */
function withoutCommands(spelled: string): string {
  let plain = spelled;
  for (let round = 0; round < NESTED_MAX; round += 1) {
    const inner = plain.replace(/\$\([^()]*\)/g, "");
    if (inner === plain) break;
    plain = inner;
  }
  return plain;
}

const NESTED_MAX = 5;

const secretVariablePattern = (): RegExp =>
  /^(?:[A-Z][A-Z0-9_]*_)?(?:API_?KEY|SECRET(?:_KEY)?|TOKEN|PASSWORD|PASSWD|PRIVATE_KEY|ACCESS_KEY|CREDENTIALS?)$/;

function variable(name: string): Secret {
  const shown = inline(name, 60);
  return {
    name: text(`the secret in $${shown}`, `$${shown} の秘密`),
    instead: text(
      `\`[ -n "$${shown}" ] && echo set\` tells whether it is there; a program that needs it finds it in its environment.`,
      `設定の有無は \`[ -n "$${shown}" ] && echo set\` で分かります。必要なプログラムは環境変数から読めます。`,
    ),
    shown: "ask",
    sent: "ask",
    token: name,
  };
}

const USE_IT_UNSEEN = text(
  "Hand it on unseen: `VAR=$(…) command`, or a pipe into the program that needs it.",
  "見せずに渡してください: `VAR=$(…) コマンド`、または必要なプログラムへのパイプ。",
);

function storedToken(token: string): Secret {
  const name = text("a stored token or password", "保存されたトークンやパスワード");
  return { name, instead: USE_IT_UNSEEN, shown: "ask", sent: "deny", token };
}

const stored = storedToken("");
/** Tools whose purpose is to look up a secret. */
const lookedUp: Secret = { ...stored, name: text("a secret from a vault", "保管庫の秘密"), shown: "pass" };
export const environment: Secret = {
  name: text("the whole environment, with every secret in it", "秘密を含む環境変数のすべて"),
  instead: LET_IT_BE_USED,
  shown: "pass",
  sent: "deny",
};

type Row = readonly [RegExp, Secret];

/** Creates rows only for a command that has some, because a table of patterns would cost time on every command. */
function rowsOf(name: string, args: readonly Word[]): readonly Row[] {
  switch (name) {
    case "env":
      return [[/^(?:-\S+(?: |$))*$/, environment]];
    case "printenv":
      return [[/^(?:-0|--null)?$/, environment]];
    case "set":
      return [[/^$/, environment]];
    case "export":
      return [[/^(?:-p)?$/, environment]];
    case "declare":
      return [[/^(?:-[px]+)?$/, environment]];
    case "git":
      return args[0]?.text.startsWith("credential") ? [[/^credential(?:-\S+)? (?:fill|get)\b/, stored]] : [];
    case "npm":
    case "pnpm":
    case "yarn":
      return [[/\bconfig get \S*(?:_auth|token|password)/i, stored]];
    case "gpg":
      return [[/--export-secret-(?:sub)?keys?\b/, privateKey()]];
    case "curl":
    case "wget":
      return [[metadataPattern(), cloudKeys()]];
    default:
      return cloudRows(name) ?? vaultRows(name) ?? [];
  }
}

const metadataPattern = (): RegExp =>
  /\b(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|100\.100\.100\.200)\b\S*(?:credentials|token|identity|user-data)/;

function cloudRows(name: string): readonly Row[] | undefined {
  switch (name) {
    case "gh":
      return [[/^auth (?:token|status\b.*(?:-t\b|--show-token))/, storedToken("GITHUB_TOKEN")]];
    case "glab":
      return [[/^auth status\b.*(?:-t\b|--show-token)/, storedToken("GITLAB_TOKEN")]];
    case "aws":
      return [
        [/\bconfigure (?:export-credentials|get \S*(?:secret_access_key|session_token))/, storedToken("AWS_")],
        [
          /\bsecretsmanager get-secret-value\b|\bget-parameters?\b.*--with-decryption|\bsts (?:assume-role|get-session)/,
          lookedUp,
        ],
      ];
    case "gcloud":
      return [
        [/\bauth (?:application-default )?print-\w+-token/, storedToken("GOOGLE_")],
        [/\bsecrets versions access\b/, lookedUp],
      ];
    case "az":
      return [
        [/\baccount get-access-token\b/, storedToken("AZURE_")],
        [/\bkeyvault secret show\b/, lookedUp],
      ];
    case "kubectl":
      return [[/\bget secrets?\b.*(?:-o|--output)[ =]?(?:ya?ml|json|go-template|custom)/, lookedUp]];
    default:
      return undefined;
  }
}

function vaultRows(name: string): readonly Row[] | undefined {
  switch (name) {
    case "vault":
      return [[/\bread\b|\bkv get\b/, lookedUp]];
    case "doppler":
      return [[/\bsecrets (?:get|download)\b/, lookedUp]];
    case "sops":
      return [[/(?:^| )(?:-d|--decrypt|decrypt|exec-env)\b/, lookedUp]];
    case "ansible-vault":
      return [[/^(?:view|decrypt)\b/, lookedUp]];
    case "op":
      return [[/^(?:read|item get|document get)\b/, stored]];
    case "bw":
      return [[/^get (?:password|item|notes|totp)\b/, stored]];
    case "lpass":
      return [[/^show\b/, stored]];
    case "pass":
      return [[/^(?!(?:ls|list|find|search|git|init|insert|generate|edit|rm|mv|cp|help|version|grep)\b)\S/, stored]];
    case "secret-tool":
      return [[/^lookup\b/, stored]];
    case "keyring":
      return [[/^get\b/, stored]];
    case "security":
      return [[/\b(?:find-(?:generic|internet)-password|dump-keychain)\b/, stored]];
    default:
      return undefined;
  }
}
