/** Commands and variables that hold a secret without any file being named. */
import type { Invocation, Word } from "../../kernel/shell-reading.ts";
import { inline, text } from "../../kernel/text.ts";
import { cloudKeys, LET_IT_BE_USED, privateKey, type Secret } from "./secret-kinds.ts";

/** What a command prints by itself, if that is a secret. */
export function secretFrom(invocation: Invocation): Secret | undefined {
  const { name, args } = invocation;
  if (name === undefined) return undefined;
  const rows = Object.hasOwn(PRINTS, name) ? PRINTS[name] : undefined;
  const line = rows && args.map((word) => word.text).join(" ");
  const row = rows?.find(([words]) => words.test(line ?? ""));
  if (row) return row[1];
  if (name === "printenv") return secretVariable(args.map((word) => `$${word.text}`).join(" "));
  if (name !== "echo" && name !== "printf") return undefined;
  return secretVariable(args.map(unknownText).join(" "));
}

function unknownText({ literal, text: spelled }: Word): string {
  return literal ? "" : spelled;
}

/** A secret of the environment that a text names as it stands; its length or its being set tells nothing. */
export function secretVariable(spelled: string): Secret | undefined {
  for (const [, plain, braced] of spelled.matchAll(/\$(?:(\w+)|\{(\w+)\})/g)) {
    const name = plain ?? braced ?? "";
    if (SECRET_VARIABLE.test(name)) return variable(name);
  }
  return undefined;
}

const SECRET_VARIABLE =
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
/** Looking one up is what such a tool is for. */
const lookedUp: Secret = { ...stored, name: text("a secret from a vault", "保管庫の秘密"), shown: "pass" };
export const environment: Secret = {
  name: text("the whole environment, with every secret in it", "秘密を含む環境変数のすべて"),
  instead: LET_IT_BE_USED,
  shown: "pass",
  sent: "deny",
};

type Row = readonly [RegExp, Secret];

const METADATA: readonly Row[] = [
  [
    /\b(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|100\.100\.100\.200)\b\S*(?:credentials|token|identity|user-data)/,
    cloudKeys,
  ],
];

const PRINTS: Readonly<Record<string, readonly Row[]>> = {
  env: [[/^(?:-\S+(?: |$))*$/, environment]],
  printenv: [[/^(?:-0|--null)?$/, environment]],
  set: [[/^$/, environment]],
  export: [[/^(?:-p)?$/, environment]],
  declare: [[/^(?:-[px]+)?$/, environment]],
  gh: [[/^auth (?:token|status\b.*(?:-t\b|--show-token))/, storedToken("GITHUB_TOKEN")]],
  glab: [[/^auth status\b.*(?:-t\b|--show-token)/, storedToken("GITLAB_TOKEN")]],
  aws: [
    [/\bconfigure (?:export-credentials|get \S*(?:secret_access_key|session_token))/, storedToken("AWS_")],
    [
      /\bsecretsmanager get-secret-value\b|\bget-parameters?\b.*--with-decryption|\bsts (?:assume-role|get-session)/,
      lookedUp,
    ],
  ],
  gcloud: [
    [/\bauth (?:application-default )?print-\w+-token/, storedToken("GOOGLE_")],
    [/\bsecrets versions access\b/, lookedUp],
  ],
  az: [
    [/\baccount get-access-token\b/, storedToken("AZURE_")],
    [/\bkeyvault secret show\b/, lookedUp],
  ],
  kubectl: [[/\bget secrets?\b.*(?:-o|--output)[ =]?(?:ya?ml|json|go-template|custom)/, lookedUp]],
  vault: [[/\bread\b|\bkv get\b/, lookedUp]],
  doppler: [[/\bsecrets (?:get|download)\b/, lookedUp]],
  sops: [[/(?:^| )(?:-d|--decrypt|decrypt|exec-env)\b/, lookedUp]],
  "ansible-vault": [[/^(?:view|decrypt)\b/, lookedUp]],
  op: [[/^(?:read|item get|document get)\b/, stored]],
  bw: [[/^get (?:password|item|notes|totp)\b/, stored]],
  lpass: [[/^show\b/, stored]],
  pass: [[/^(?!(?:ls|list|find|search|git|init|insert|generate|edit|rm|mv|cp|help|version|grep)\b)\S/, stored]],
  "secret-tool": [[/^lookup\b/, stored]],
  keyring: [[/^get\b/, stored]],
  security: [[/\b(?:find-(?:generic|internet)-password|dump-keychain)\b/, stored]],
  git: [[/^credential(?:-\S+)? (?:fill|get)\b/, stored]],
  gpg: [[/--export-secret-(?:sub)?keys?\b/, privateKey]],
  curl: METADATA,
  wget: METADATA,
};
