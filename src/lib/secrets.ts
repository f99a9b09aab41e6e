/** Masks secrets in anything that is written or shown. Every pattern is bounded and so linear on any input. */

const MASK = "*****";

const WORD =
  "(?:(?:api|private|access|account)[_-]?key|secret|token|passw(?:or)?d|passphrase|credential|(?:_|\\b)(?:pass|pwd|auth)\\b|\\bsig\\b|signature|oauth2-bearer)";

/**
 * A value as the shell reads it: adjacent quoted and plain pieces are one value. An unclosed quote was truncated, and
 * the rest of the text is the value.
 */
const VALUE = `(?:"(?:[^"\\\\]|\\\\.){0,20000}(?:"|$)|'[^']{0,20000}(?:'|$)|\\\\.|[^\\s"'&;|\\\\]){1,4096}`;

/** "a password to the model" is prose, mostly from our own messages. */
const NOT_PROSE = "(?!(?:to|or|and|of|in|on|is|for|from|with|by|that|which|would)\\s)";

interface Trace {
  /** Lower-case substrings that every match contains: searching them is cheap, compiling a pattern is not. */
  readonly hints: readonly string[];
  readonly pattern: () => RegExp;
  readonly kept: string;
  /** The match is a secret by its shape alone, in any context. */
  readonly shape?: true;
}

const WORD_HINTS = ["key", "secret", "token", "pass", "pwd", "sig", "credential", "auth"];

/** The forms of a secret inside a text, and the replacement for each. */
const TRACES: readonly Trace[] = [
  {
    hints: ["private key-----"],
    pattern: () => /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    kept: `[private key ${MASK}]`,
    shape: true,
  },
  {
    hints: ["authorization", "cookie"],
    pattern: () =>
      /\b((?:proxy-)?authorization|(?:set-)?cookie)(\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)[^"'\r\n]{1,4096}/gi,
    kept: `$1$2${MASK}`,
  },
  { hints: ["bearer", "basic"], pattern: () => /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, kept: `$1 ${MASK}` },
  {
    hints: ["://"],
    pattern: () => /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s@"'?#]{1,256}@/gi,
    kept: `$1${MASK}@`,
  },
  // NAME=value, "name": "value" and --name=value; then --name value
  {
    hints: WORD_HINTS,
    pattern: () => new RegExp(`(${WORD}[\\w.-]{0,64}\\\\?["']?\\s{0,8}[:=]\\s{0,8})${VALUE}`, "gi"),
    kept: `$1${MASK}`,
  },
  {
    hints: WORD_HINTS,
    pattern: () => new RegExp(`(--[\\w.-]{0,40}?${WORD}[\\w.-]{0,64}\\s{1,8})(?!-)${VALUE}`, "gi"),
    kept: `$1${MASK}`,
  },
  // Passwords after a known option or word of a known command
  {
    hints: ["curl", "wget", "http"],
    pattern: () =>
      new RegExp(`((?:^|\\s)(?:-[a-zA-Z]{0,8}[uU]|--user|--proxy-user|-b|--cookie)[\\s=]{0,4})${VALUE}`, "g"),
    kept: `$1${MASK}`,
  },
  {
    hints: [
      "mysql",
      "mariadb",
      "sshpass",
      "login",
      "mongo",
      "helm",
      "7z",
      "redis-cli",
      "ldap",
      "sqlcmd",
      "bcp",
      "zip",
      "mosquitto",
      "http ",
      "https ",
      "xh ",
    ],
    pattern: () =>
      new RegExp(
        `(\\b(?:${[
          "(?:mysql\\w*|mariadb\\w*|sshpass|(?:docker|podman|helm|registry) login|helm|mongo\\w*|7za?)\\b[^|;&]{0,200}?\\s-p",
          "(?:redis-cli|https?|xh)\\s[^|;&]{0,200}?-a",
          "ldap\\w+\\b[^|;&]{0,200}?\\s-w",
          "(?:sqlcmd|bcp|(?:un)?zip|mosquitto_\\w+)\\b[^|;&]{0,200}?\\s-P",
        ].join("|")})\\s{0,4})${VALUE}`,
        "g",
      ),
    kept: `$1${MASK}`,
  },
  {
    hints: ["password", "secret", "pass:", "token", "smb"],
    pattern: () =>
      new RegExp(
        `(\\bpassword\\s{1,8}|aws_secret_access_key\\s{1,8}|_authtoken\\s{1,8}|\\.(?:token|password|secret)\\s{1,8}|\\bpass:|\\bsmb\\w+\\b[^|;&]{0,200}?\\s-U\\s{0,4}[^\\s%]{1,64}%)${NOT_PROSE}${VALUE}`,
        "gi",
      ),
    kept: `$1${MASK}`,
  },
  {
    hints: ["htpasswd"],
    pattern: () => new RegExp(`(\\bhtpasswd\\s[^|;&]{0,100}?-\\w*b\\w*\\s+(?:[^\\s|;&]+\\s+){1,2})${VALUE}`, "g"),
    kept: `$1${MASK}`,
  },
  // A password piped to a command that prompts for one
  {
    hints: ["sudo", "chpasswd", "-stdin"],
    pattern: () =>
      new RegExp(
        `(\\b(?:echo|printf)\\s+(?:-\\w+\\s+|["']?%s\\S{0,4}\\s+)?)${VALUE}(?=\\s{0,8}\\|\\s{0,8}(?:sudo\\s+-\\w*S|(?:sudo\\s+)?chpasswd|[^|;&]{1,100}-stdin))`,
        "g",
      ),
    kept: `$1${MASK}`,
  },
  // Values put into a vault
  {
    hints: ["secret", "config:set", "kv put", "from-literal"],
    pattern: () => /(\b(?:secrets?\s+(?:set|create|put)|config:set|kv put)\b|--from-literal[= ])[^|;&\n]{1,4096}/g,
    kept: `$1 ${MASK}`,
  },
  // Tokens recognized by their shape in any context
  {
    hints: [
      "gh",
      "glpat-",
      "xox",
      "sk-",
      "npm_",
      "aiza",
      "_live_",
      "sg.",
      "hf_",
      "dop_v1_",
      "shpat_",
      "pypi-",
      "age-secret",
      "hvs.",
      "ya29.",
      "xapp-",
      "lin_api_",
      "dckr_pat_",
      "whsec_",
    ],
    pattern: () =>
      /\b(?:gh[pousr]_\w{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|sk-[\w-]{16,}|npm_\w{30,}|AIza[\w-]{30,}|[rs]k_live_\w{10,}|SG\.[\w.-]{20,}|hf_\w{20,}|dop_v1_\w{20,}|shpat_\w{20,}|pypi-[\w-]{20,}|AGE-SECRET-KEY-\w{20,}|hvs\.\w{20,}|ya29\.[\w-]{20,}|xapp-[\w-]{20,}|lin_api_\w{20,}|dckr_pat_[\w-]{20,}|whsec_\w{20,})/g,
    kept: MASK,
    shape: true,
  },
  { hints: ["akia", "asia"], pattern: () => /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, kept: MASK, shape: true },
  { hints: ["eyj"], pattern: () => /\beyJ[\w-]{8,2048}\.[\w-]{8,2048}\.[\w-]{0,2048}/g, kept: MASK },
];

const DEPTH_MAX = 40;

/** A copy with every secret masked that its key, its context or its shape reveals. */
export function mask(value: unknown, onText: (text: string) => string = maskText, depth = 0): unknown {
  if (typeof value === "string") return onText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_MAX) return "[nested too deeply]";
  if (Array.isArray(value)) return value.map((entry) => mask(entry, onText, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      maskText(key),
      namesSecret(key) && entry !== null && entry !== "" ? MASK : mask(entry, onText, depth + 1),
    ]),
  );
}

let secretName: RegExp | undefined;

/** A key or variable name that means a secret, in any spelling: API_KEY, apiKey, api-key. */
function namesSecret(key: string): boolean {
  const lower = key.toLowerCase();
  if (!WORD_HINTS.some((hint) => lower.includes(hint))) return false;
  secretName ??= new RegExp(WORD, "i");
  return secretName.test(key);
}

export function maskText(value: string): string {
  const lower = value.toLowerCase();
  let text = value;
  for (const { hints, pattern, kept } of TRACES) {
    if (hints.some((hint) => lower.includes(hint))) text = text.replace(pattern(), kept);
  }
  return text;
}

/** The substrings that are secrets by their shape: private keys, and tokens with a vendor prefix. */
export function secretShapes(value: string): readonly string[] {
  const lower = value.toLowerCase();
  return TRACES.flatMap(({ hints, pattern, shape }) =>
    shape && hints.some((hint) => lower.includes(hint)) ? (value.match(pattern()) ?? []) : [],
  );
}
