/**
 * Recognizes the outcome of a check in a line of output, for analysis (lint, types, compiler) and tests, as printed by
 * many tools.
 */

export type ToldOutcome = "passed" | "failed" | "unknown";

export interface Vocabulary {
  readonly passed: readonly RegExp[];
  readonly failed: readonly RegExp[];
}

/** A failure in the line takes precedence. */
export function outcomeIn(line: string, { passed, failed }: Vocabulary): ToldOutcome {
  if (!TELLING.test(line)) return "unknown";
  const rest = line.replace(NOTHING_BAD, " ");
  if (failed.some((pattern) => pattern.test(rest))) return "failed";
  return passed.some((pattern) => pattern.test(line)) ? "passed" : "unknown";
}

/** A quick check: every pattern below needs one of these, and most lines have none. */
const TELLING = /pass|fail|error|warning|problem|issue|offense|succe|profile|^ok|^ran /i;

/** "No errors" mentions errors but means success. */
const NOTHING_BAD =
  /\b(?:no|0|zero|without(?: any)?) (?:(?:es)?lint(?:ing)? |type |tests? |(?:test )?suites? )?(?:errors?|warnings?|problems?|issues?|offenses?|failures?|failed|failing)(?: (?:or|and) (?:errors?|warnings?|problems?|failures?))?\b/gi;

/** Functions, because compiling the patterns is expensive and few events need them. */
export function analysisWords(): Vocabulary {
  return {
    passed: [
      /\b(?:no|0) issues(?: found\b|[.!]|$)/i,
      /\bno lint(?:ing)? (?:errors?|warnings?|problems?|issues?)\b/i,
      /\blint(?:ing)?(?: has)? passed\b/i,
      /\b(?:no|0) problems\b/i,
      /\bno eslint (?:warnings?|errors?)\b/i,
      /\beslint\b[^/]{0,60}\b(?:without|no|0) (?:warnings?|errors?|problems?)\b/i,
      /\bfound (?:0|no) errors?\b/i,
      /\btype[- ]?check(?:ing|s)?:?(?: has)? (?:passed|succeeded)\b/i,
      // ruff, RuboCop, cargo, Maven and Gradle.
      /\ball checks passed\b/i,
      /\bno offenses detected\b/i,
      /\bFinished `\w+` profile\b/,
      /\bBUILD SUCCESS(?:FUL)?\b/,
    ],
    failed: [
      /\b[1-9][\d,]{0,9} issues?(?: found\b|:)/i,
      /\b[1-9][\d,]{0,9} problems?\b(?!-)/i,
      /\beslint(?=[\s:])[^/]{0,80}\b(?:errors?|failed)\b/i,
      /\blint(?:ing)?(?: has)? failed\b/i,
      /\btype[- ]?check(?:ing|s)?:?(?: has)? failed\b/i,
      /\bfound [1-9][\d,]{0,9} errors?\b/i,
      // tsc, RuboCop, rustc and cargo, Maven and Gradle.
      /\berror TS\d+\b/,
      /\b[1-9][\d,]{0,9} offenses? detected\b/i,
      /^error(?:\[E\d+\]:|: could not compile\b)/,
      /\bCOMPILATION ERROR\b/,
      /\bBUILD FAIL(?:URE|ED)\b/,
    ],
  };
}

export function testWords(): Vocabulary {
  return {
    passed: [
      /\ball (?:[1-9][\d,]{0,9} )?tests? (?:have )?pass(?:ed)?\b/i,
      /\b(?:test suites|test files|tests):?\s{1,20}(?:\d{1,9} (?:skipped|todo|pending)\s?[,|] ?){0,3}[1-9][\d,]{0,9} passed\b/i,
      // "0 failed" near a word about tests or near passed tests; zero tests prove nothing.
      /\b[1-9][\d,]{0,9} passed\b.{0,60}\b0 failed\b/i,
      /\b0 failed\b.{0,60}\b[1-9][\d,]{0,9} passed\b/i,
      /\b(?:tests?|suites?|specs?)\b(?!.{0,60}\b0 passed\b).{0,60}\b0 (?:tests? )?failed\b/i,
      /\b0 (?:tests?|suites?|specs?) failed\b/i,
      // pytest, unittest.
      /\b[1-9][\d,]{0,9} passed(?:, \d{1,9} (?:skipped|deselected|xfailed|xpassed|warnings?|rerun)){0,6} in [\d.]{1,12} ?m?s\b/,
      /^Ran [1-9]\d{0,9} tests? in [\d.]{1,12}s OK\b/,
      // go test, mocha, RSpec, JUnit with Maven, node:test, PHPUnit, dotnet.
      /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/,
      /\b[1-9]\d{0,9} passing\b/,
      /\b[1-9]\d{0,9} examples?, 0 failures\b/,
      /\bTests run: [1-9]\d{0,9}, Failures: 0, Errors: 0\b/,
      /^[#\u2139] pass [1-9]\d{0,9}$/,
      /^OK \([1-9]\d{0,9} tests?\b/,
      /^Passed!\s+-\s+Failed:\s+0\b/,
    ],
    failed: [
      /\btests? (?:have )?failed\b/i,
      /\b(?:suites?|files|tests?|specs?)\b.{0,60}\b[1-9][\d,]{0,9} failed\b/i,
      /\b[1-9][\d,]{0,9} failed\b.{0,80}(?:\bpassed\b|\btotal\b|\btests?\b| in [\d.]{1,12} ?m?s\b)/i,
      /\bpassed\b.{0,60}\b[1-9][\d,]{0,9} (?:failed|errors?)\b/i,
      /\b[1-9][\d,]{0,9} errors? in [\d.]{1,12} ?m?s\b/i,
      /^(?:--- )?FAIL(?:ED)?\b(?!-)/,
      /\bfailing\b/i,
      /\bexamples?, [1-9]\d{0,9} failures?\b/,
      /\bTests run: \d{1,9}, Failures: (?:[1-9]|0, Errors: [1-9])/,
      /^[#\u2139] fail [1-9]\d{0,9}$/,
      /\btest result: FAILED\b/,
      /^Failed!\s+-\s+Failed:/,
    ],
  };
}
