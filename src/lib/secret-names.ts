/** Names that announce a secret (`API_KEY=`, `"password":`), and values that are none (`$TOKEN`, `<token>`). */

const KEYS =
  "api|app|private|access|account|secret|signing|encryption|decryption|master|shared|storage|service|role|admin|auth|client|license|hmac|deploy|webhook|subscription|functions|session|server|consumer|ssh|pgp|gpg";

const WORD = `(?:(?:${KEYS})[_-]?key(?!word|board|ring|note|stroke|pair)|secret|token(?!i[sz])|passw(?:or)?d|pass(?:phrase|code)|credential|(?:_|\\b)(?:pass|pwd|auth|jwt)\\b|\\bpw\\b|sig(?:nature)?\\b|oauth2-bearer)`;

/** `password-file`, `tokenUrl`, `secretName`: the name of something about a secret. */
const NOT_ABOUT =
  "(?<!(?:files?|path|dir(?:ectory)?|ur[il]|endpoint|name|type|length|count|size|limit|policy|expir\\w{1,8}|[_-]in|[_-]at|ttl|env|stdin|fd|command|helper|store|provider|manager|field|column|label|prompt|version|algorithm|budget|usage|bucket|format|schema|scopes?|audience|issuer))";

export const NAME = `${WORD}[\\w.-]{0,64}${NOT_ABOUT}`;

/** Every name contains one of these, in any case. */
export const NAME_MARKS: readonly string[] = [
  "key",
  "secret",
  "token",
  "pass",
  "pwd",
  "pw",
  "sig",
  "credential",
  "auth",
  "jwt",
  "bearer",
];

/**
 * A value as the shell reads it: adjacent quoted and plain pieces are one value. An unclosed quote was truncated, and
 * the rest of the text is the value.
 */
export const VALUE = `(?:"(?:[^"\\\\]|\\\\.){0,20000}(?:"|$)|'[^']{0,20000}(?:'|$)|\\\\.|[^\\s"'&;|\\\\]){1,4096}`;

/** Values that are readable: variables, calls, placeholders, types, paths, small counts. */
const plain = () => [
  // $NAME, ${NAME}, $(command), %NAME%, user:$NAME
  /^(?:\$[A-Za-z_]\w*|\$\{.*|%\w+%|[\w.$@{}-]{0,64}:\$\{?[A-Za-z_]\w*\}?)$/,
  /^(?:\$\(|`)(?!\s*(?:echo|printf)\b)/,
  // <token>, {{ token }}, ***, xxx
  /^(?:<[^<>]*>?|\{\{.*|\*{3,}.*|x{3,}|X{3,}|\.{3,}|-)$/,
  /^(?:true|false|null|nil|none|undefined|inherit|string|str|number|boolean|bool|int|any|unknown|bytes)$/i,
  /^(?:required|optional|on|off|yes|no|ask|deny|allow|warn|await|new|async|stdin)$/i,
  /^(?:process\.env|os\.(?:environ|getenv)|import\.meta|ENV\[|env\.|getenv)/,
  /^(?:~|\.{1,2}|\/(?:home|etc|usr|var|run|tmp|opt|root|Users|mnt|srv|dev|app|workspace|secrets|data|proc))\//,
  /^(?:file|env|fd):|^<{1,3}$|^\d{1,3}$/,
];

/** After `=` or `:`, a call or a member of a program. */
const CODE = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\(|^[a-z_$][A-Za-z_$]*(?:\.[a-zA-Z_$]+)+$/;

/** Without quotes and what follows it in a program. */
function bareValue(value: string): string {
  return value.replace(/^\\?["']|[\\"',:;)\]}]+$/g, "");
}

/** A value that is no secret, although it stands where one would. */
export function isPlain(value: string, name: string): boolean {
  const bare = bareValue(value);
  if (bare === "" || (/tokens\W*$/i.test(name) && /^\d{1,9}$/.test(bare))) return true;
  if (isVerdict(bare, name) || (isProse(bare) && !/pass/i.test(name))) return true;
  // In single quotes the shell takes `$ecret1` as it is.
  if (value.startsWith("'$")) return /^\$[A-Za-z_{}]+$/.test(bare);
  return plain().some((pattern) => pattern.test(bare)) || (/[:=]\s*$/.test(name) && CODE.test(bare));
}

/** `PASS: the tests ran`, `PASS=16/FAIL=0`: a result. A variable is written PASS=… and has another value. */
function isVerdict(value: string, name: string): boolean {
  return /(?:^|[^\w.-])PASS["']?\s*:\s*$/.test(name) || (/\bPASS=$/.test(name) && /^\d{1,6}\/[A-Z]+=\d/.test(value));
}

/** Keys and tokens have no Japanese in them. */
function isProse(value: string): boolean {
  return /[\u3040-\u30ff\u4e00-\u9fff]/.test(value);
}

let secretName: RegExp | undefined;

/** A key or variable name that means a secret, in any spelling: API_KEY, apiKey, api-key. */
export function namesSecret(name: string): boolean {
  const lower = name.toLowerCase();
  if (!NAME_MARKS.some((mark) => lower.includes(mark))) return false;
  secretName ??= new RegExp(`${NAME}$`, "i");
  return secretName.test(name);
}

/** The value of a secret's name that is none itself. */
export function isPlainValue(name: string, value: unknown): boolean {
  if (typeof value === "number") return /tokens$/i.test(name);
  // `binary_checks: { PASS: "are both apart?" }`
  if (name === "PASS" && typeof value === "string" && /\s|[^ -~]/.test(value)) return true;
  return typeof value === "string" ? isPlain(value, name) : value === null || typeof value === "boolean";
}
