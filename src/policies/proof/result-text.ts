/** Guesses from the wording whether a report has results or only possibilities. The guess is used once per subagent. */

/** Signs of a result: a file, a position in it, code, a count, a URL, an exit code. */
const CONCRETE = [
  /[\w.-]+\/[\w./-]*\w/,
  /\b[\w-]+\.[a-z]{1,5}\b(?::\d+)?/i,
  /`[^`\n]{2,}`|```/,
  /\b\d+(?:\.\d+)?\s*(?:%|ms|s|[kmg]b|lines?|files?|tests?|errors?|warnings?|passed|failed|matches|results?|times|items?|commits?)\b/i,
  /\b(?:exit code|line|error|http|status)\s*:?\s*\d+/i,
  /https?:\/\/\S+/,
  /\d+\s*(?:\u4ef6|\u500b|\u884c|\u30d5\u30a1\u30a4\u30eb|\u30c6\u30b9\u30c8|\u56de|\u79d2)/,
];

/** Announcements and possibilities, in English and Japanese. */
const POSSIBLE =
  /\b(?:could|might|may|would|should(?: be able)?|perhaps|probably|possibly|i(?:'ll| will| can| would)|let me|going to|plan to|need(?:s)? to|try(?:ing)? to|recommend|suggest|consider)\b|\u304b\u3082\u3057\u308c|\u3067\u3057\u3087\u3046|\u306f\u305a\u3067\u3059|\u3068\u601d\u3044\u307e\u3059|\u3067\u304d\u308b\u53ef\u80fd\u6027|\u4e88\u5b9a\u3067\u3059|\u3057\u3066\u307f\u307e\u3059|\u3057\u305f\u3044\u3068|\u3059\u308b\u5fc5\u8981\u304c/i;

/** A clear negative answer is also a result. */
const NOTHING_FOUND =
  /\b(?:no (?:issues?|problems?|matches|findings?|such|results?|occurrences?|references?)|nothing (?:found|to)|not found|does not exist|none)\b|\u898b\u3064\u304b\u308a\u307e\u305b\u3093|\u554f\u984c(?:\u306f)?\u3042\u308a\u307e\u305b\u3093|\u5b58\u5728\u3057\u307e\u305b\u3093/i;

/** Why the report has no result; undefined when it has one. */
export function missingResult(message: string): "empty" | "possible" | undefined {
  const said = message.slice(0, CHARS_MAX).trim();
  if (said === "") return "empty";
  if (CONCRETE.some((sign) => sign.test(said)) || NOTHING_FOUND.test(said)) return undefined;
  return POSSIBLE.test(said) ? "possible" : undefined;
}

const CHARS_MAX = 20_000;
