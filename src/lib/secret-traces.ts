/** Secrets that their surroundings reveal, in text of any kind. Data; `secrets.ts` searches for it. */
import { stdinMarks, stdinReaders } from "./secret-flags.ts";
import { NAME, NAME_MARKS, VALUE } from "./secret-names.ts";

export interface Trace {
  /** Every match contains one of these, in lower case. Searching them is cheap, compiling a pattern is not. */
  readonly marks: readonly string[];
  /** Two groups: what stands before the secret, and the secret. */
  readonly pattern: () => RegExp;
  /** Every match also contains a name that announces a secret, and so one of `NAME_MARKS`. */
  readonly named?: true;
  /** An address with a key in it: to call it is not to send a secret elsewhere. */
  readonly address?: true;
}

/** "a password to the model" is prose, mostly from our own messages. */
const NOT_PROSE = "(?!(?:to|or|and|of|in|on|is|was|for|from|with|by|that|which|would)\\s)";
/** A value in a place that may also hold an ordinary word counts if it looks like no word. */
const RANDOM = "(?=[\\w~.+/%=-]{0,200}\\d)(?=[\\w~.+/%=-]{0,200}[A-Za-z])[\\w~.+/%=-]{16,4096}";
/** Between two words: a blank, or the quotes and the comma of a list. */
const NEXT = `(?:\\s{1,8}|\\\\?["']\\s{0,8},\\s{0,8})`;

export const traces = (): readonly Trace[] => [...headers(), ...named(), ...placed()];

const headers = (): readonly Trace[] => [
  {
    marks: ["authorization", "cookie"],
    pattern: () =>
      /(\b(?:(?:proxy-)?authorization|(?:set-)?cookie)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)(?!\s|(?:\w{1,20}\s{1,4})?(?:\$[\w{(]|[<{]))([^"'\r\n]{1,4096})/gi,
  },
  {
    marks: ["bearer", "basic"],
    pattern: () => /(\b(?:bearer|basic)\s{1,8})(?=[\w.~+/=-]{0,400}(?:[\d=+/]|\.\w))([\w.~+/=-]{6,})/gi,
  },
  { marks: ["://"], pattern: () => /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)(?!git@)([^\s@"'?#]{1,256})(?=@)/gi },
  { marks: ["jdbc:oracle"], pattern: () => /(jdbc:oracle:\w+:[^\s/]{1,64}\/)([^\s@]{1,256})(?=@)/gi },
];

const named = (): readonly Trace[] => [
  // NAME=value, "name": "value" and --name=value; then --name value
  {
    marks: NAME_MARKS,
    pattern: () => new RegExp(`(${NAME}\\\\?["']?\\]?\\s{0,8}[:=]{1,2}>?\\s{0,8})(${VALUE})`, "gi"),
  },
  { marks: ["--"], named: true, pattern: () => new RegExp(`(--[\\w.-]{0,40}?${NAME}${NEXT})(?!-)(${VALUE})`, "gi") },
  // -storepass value
  {
    marks: ["pass"],
    pattern: () =>
      new RegExp(`((?:^|[\\s"'])-[a-z]{0,20}pass(?:in|out|wd|word|phrase)?${NEXT}(?:pass:)?)(?!-)(${VALUE})`, "gi"),
  },
  {
    marks: ["setenv ", "setx ", "set -", "env ", "arg "],
    named: true,
    pattern: () =>
      new RegExp(
        `(\\b(?:set(?:env|x)?(?: -\\w{1,4})?|env|arg)\\s{1,4}[\\w]{0,40}?${NAME}\\s{1,8})(?!=)(${VALUE})`,
        "gi",
      ),
  },
  {
    marks: ["</"],
    named: true,
    pattern: () => new RegExp(`(<[\\w:.-]{0,40}?${NAME}>\\s{0,8})([^<]{1,4096})(?=</)`, "gi"),
  },
  {
    marks: ["value:", "value=", "value'", 'value"'],
    named: true,
    pattern: () =>
      new RegExp(
        `((?:name|key)["']?\\s{0,4}[:=]\\s{0,4}["']?[\\w.-]{0,40}?${NAME}["']?[\\s,]{1,40}["']?value["']?\\s{0,4}[:=]\\s{0,4})(${VALUE})`,
        "gi",
      ),
  },
  // What a prompt may say: "the password is …", パスワードは …
  {
    marks: [" is ", " was ", "パスワード", "トークン", "キー"],
    pattern: () =>
      /(\b(?:password|passphrase|passwd|token|secret|(?:api|access|secret) ?key)s?\s{1,4}(?:is|was)\s{1,4}|(?:パスワード|トークン|キー)\s{0,4}(?:は|が|[:=：＝])\s{0,4})(?=[^\s]{0,200}\d)([^\s"'、。]{6,4096})/gi,
  },
];

const placed = (): readonly Trace[] => [
  // Parameters of an address. `key` is often an ordinary name, so its value must look like a key.
  {
    marks: ["key=", "code=", "sid=", "session", "ticket=", "hmac=", "credential="],
    pattern: () =>
      new RegExp(
        `([?&;](?:[\\w-]{0,20}key|code|sid|session(?:_?id)?|ticket|hmac|x-\\w{3,4}-credential)=)(${RANDOM})`,
        "gi",
      ),
    address: true,
  },
  {
    marks: ["_key"],
    pattern: () =>
      new RegExp(
        `(\\b[A-Z][A-Z0-9_]{0,40}_KEY(?:_BASE)?\\s{0,4}[=:]\\s{0,4}["']?)(?![0-9a-f]{16,128}\\b)(${RANDOM})`,
        "g",
      ),
  },
  // After a known word
  {
    marks: ["password ", "secret_access_key ", "_authtoken ", ".token ", ".secret ", "extraheader ", "pass:", "smb"],
    pattern: () =>
      new RegExp(
        `(\\bpassword\\s{1,8}(?=\\S{0,200}\\d)|\\blogin\\s{1,4}\\S{1,64}\\s{1,4}password\\s{1,8}|aws_secret_access_key\\s{1,8}|_authtoken\\s{1,8}|_password\\s{1,8}|\\.(?:token|password|secret|extraheader)\\s{1,8}|\\bpass:|\\bsmb\\w+\\b[^|;&]{0,200}?\\s-U\\s{0,4}[^\\s%]{1,64}%)${NOT_PROSE}(${VALUE})`,
        "gi",
      ),
  },
  {
    marks: ["htpasswd"],
    pattern: () => new RegExp(`(\\bhtpasswd\\s[^|;&]{0,100}?-\\w*b\\w*\\s+(?:[^\\s|;&]+\\s+){1,2})(${VALUE})`, "g"),
  },
  {
    marks: ["sqlplus", "expdp", "impdp", "rman "],
    pattern: () => /(\b(?:sqlplus|expdp|impdp|rman)\b[^|;&\n]{0,80}?\s[\w.$]{1,64}\/)([^\s@/]{1,256})/g,
  },
  {
    marks: [":5432:", ":6432:"],
    pattern: () => /([\w.*-]{1,200}:[56]432:[^\s:]{1,64}:[^\s:]{1,64}:)(\S{1,4096})/g,
  },
  {
    marks: ["\\r"],
    pattern: () => /(\bsend(?:_user)?\s+(?:--\s+)?\\?["'])(?!exit)([^"'\n\\]{4,200})(?=\\{1,2}[rn])/g,
  },
  // A password piped or given to a command that prompts for one
  {
    marks: stdinMarks(),
    pattern: () =>
      new RegExp(
        `(\\b(?:echo|printf)\\s+(?:-\\w+\\s+|["']?%s\\S{0,4}\\s+)?)(${VALUE})(?=\\s{0,8}\\|\\s{0,8}(?:${stdinReaders().join("|")}))`,
        "g",
      ),
  },
  {
    marks: ["<<<"],
    pattern: () => new RegExp(`((?:${stdinReaders().join("|")})[^|;&\\n<]{0,200}<<<\\s{0,4})(${VALUE})`, "g"),
  },
  // Values put into a vault
  {
    marks: ["secret", "config:set", "kv put", "from-literal", "variables", "setenv"],
    pattern: () =>
      /((?:\b(?:secrets?\s+(?:set|create|put|add)|config:set|kv put|variables?\s+(?:--)?set|eb setenv)\b|--from-literal[= ])\s?)([^|;&\n]{1,4096})/g,
  },
];
