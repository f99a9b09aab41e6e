/** Reads test code by language: its cases, its assertions, and the markers that keep cases from running. */
import { bareCode, type CodeLanguage, codeLanguage } from "../reading/scripts/bare-code.ts";

export interface TestText {
  /** Lines of code, trimmed, without comments. */
  readonly lines: readonly string[];
  /** Markers that skip a case, or keep the other cases from running. */
  readonly markers: readonly string[];
  readonly language: CodeLanguage;
}

export function readTest(path: string, text: string): TestText {
  const language = codeLanguage(path);
  const code = bareCode(language, text);
  const markers = [
    ...matches(markerPattern(language), code),
    ...matches(/^\/\/\s*(?:go:build|\+build)\s+ignore/gm, text),
  ];
  const lines = withoutTrivial(code)
    .split("\n")
    .map((line) => line.trim());
  return { lines, markers: markers.map((found) => found.replace(/\s+/g, " ").trim()), language };
}

export interface Counts {
  readonly assertions: number;
  readonly tests: number;
}

export function countIn(lines: readonly string[], language: CodeLanguage): Counts {
  const code = lines.join("\n");
  return {
    assertions: matches(assertionPattern(language), code).length,
    tests: matches(casePattern(language), code).length,
  };
}

function matches(pattern: RegExp, code: string): readonly string[] {
  return code.match(pattern) ?? [];
}

/**
 * Drops assertions that cannot fail: on a literal alone, on a value compared with itself, or with an always-true
 * alternative.
 */
function withoutTrivial(code: string): string {
  return code.replace(ofItself(), "").replace(ofLiteral(), "").replace(asStatement(), "");
}

function ofItself(): RegExp {
  const same = String.raw`([^(),\n]{1,80}?)\s*`;
  return new RegExp(
    [
      String.raw`\bexpect\s*\(\s*${same}\)\s*\.(?:\s*to\b\s*\.?)?\s*(?:to\w+|be|eq|eql|equals?|deep\.equal)\s*\(\s*\1\s*\)`,
      String.raw`\b(?:\w*assert\w*!?|require)(?:\.\w+)*\s*\(\s*(?:t\s*,\s*)?([^(),\n]{1,80}?)\s*,\s*\2\s*[,)]`,
      String.raw`\bt\.\w+\s*\(\s*([^(),\n]{1,80}?)\s*,\s*\3\s*[,)]`,
      String.raw`\bexpect\s*\([^\n]{0,200}?\|\|\s*(?:true|1)\s*\)`,
    ].join("|"),
    "g",
  );
}

const LITERAL = String.raw`(?:true|false|True|False|null|nil|None|undefined|!0|!1|!!1|\d+|"[^"\n]*"|'[^'\n]*'|\[\]|\{\})`;

function ofLiteral(): RegExp {
  return new RegExp(
    [
      String.raw`\bexpect\w*\s*\(\s*${LITERAL}\s*\)`,
      String.raw`\b(?:XCT|debug_)?[aA]ssert(?:\.(?:ok|is)?[tT]rue|\.(?:is)?[fF]alse|\.ok|_?[tT]rue|_?[fF]alse|_?[nN]ot_?(?:[nN]ull|[nN]one|[nN]il)|That)?!?\s*\(\s*(?:t\s*,\s*)?${LITERAL}\s*[,)]`,
      String.raw`\brequire\.(?:True|False|NotNil|NotEmpty)\s*\(\s*t\s*,\s*${LITERAL}\s*[,)]`,
      String.raw`\bt\.(?:ok|true|truthy|pass|assert|false|falsy|notOk)\s*\(\s*(?:${LITERAL}\s*)?[,)]`,
    ].join("|"),
    "g",
  );
}

/** `assert True`, `assert 1 == 1`, `assert x or True`. */
function asStatement(): RegExp {
  return new RegExp(
    String.raw`\bassert\s+(?:\(?\s*(?:not\s+)?${LITERAL}\s*\)?\s*(?:,[^\n]*)?$|([^\n=]{1,80}?)\s*==\s*\1\s*$|[^\n]{0,200}\bor\s+(?:True|1)\b)`,
    "gm",
  );
}

function assertionPattern(language: CodeLanguage): RegExp {
  switch (language) {
    case "javascript":
      return /\b(?:expect|assert|should)\w*(?:\.\w+)*\s*[(<`]|\.should\b|\.(?:to|not)\.(?:be|have|equal|throw)\b|\bt\.(?:is|not|like|regex|same|ok|equal|match|fail|plan|true|false|truthy|falsy|snapshot|rejects|resolves|(?:not)?(?:[dD]eepEqual|[tT]hrows|[oO]k|[eE]qual|[sS]ame)\w*|(?:strict|loose)\w+)\s*\(/g;
    case "python":
      return /^assert\b|[;:]\s*assert\b|\bassert\w*\s*\(|\.fail\w*\s*\(|\bpytest\.(?:raises|warns|fail)\b|\bexpect\w*\s*\(/gm;
    case "ruby":
      return /\bexpect\w*\s*[({]|\bis_expected\b|\b(?:assert|refute)\w*\b|\.should(?:_not)?\b|^should\b|\b(?:must|wont)_\w+/gm;
    case "go":
      return /\b[tb]\.(?:Error|Fatal)f?\s*\(|\b[tb]\.Fail(?:Now)?\s*\(|\b(?:require|assert|is|qt|g|gomega)\.\w+\s*\(|\bExpect\s*\(/g;
    case "rust":
      return /\b\w*assert\w*!|#\[should_panic\b|\bpanic!|\bunreachable!/g;
    case "java":
      return /\b(?:assert|expect|verify|check|require)\w*\s*[({<]|\bassert\b|\bAssert\w*\.\w+|\bfail\s*\(|\bshould\w*\b|\bthrown\b/g;
    default:
      return /\b\w*(?:assert|refute)\w*\b|\b(?:EXPECT|REQUIRE|CHECK)\w*\s*\(|\bexpect\w*\s*[({]|\bAssert\.\w+|\bshould\w*\b|\bShould\b/gi;
  }
}

/** The start of a test case. A case renamed so that the runner ignores it counts as removed. */
function casePattern(language: CodeLanguage): RegExp {
  switch (language) {
    case "javascript":
      return /(?<![.\w$])(?:it|test|specify|bench)(?:\.\w+)*\s*[(`<]|\bDeno\.test\s*\(/g;
    case "python":
      return /\bdef test\w*\s*\(/g;
    case "ruby":
      return /^(?:it|specify|example|test|scenario)\b|^its\b|\bdef test_\w+/gm;
    case "go":
      return /\bfunc (?:\([^)\n]*\) )?(?:Test|Fuzz|Example)\w*\s*\(|\bt\.Run\s*\(|\bIt\s*\(/g;
    case "rust":
      return /#\[(?:\w+::)*(?:test|rstest|test_case|proptest)\b/g;
    case "java":
      return /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b|(?<![.\w])(?:it|test|should|scenario)\s*\(/g;
    default:
      return /\bfunc test\w*\s*\(|\[(?:Test|Fact|Theory|TestMethod|TestCase)\b|\bTEST(?:_[FP])?\s*\(|\bfunction test\w*\s*\(|^(?:test|it)\b|\bTEST_CASE\s*\(/gm;
  }
}

/** Skip, todo, expected to fail, unreachable; and `only`, which skips all other cases. */
function markerPattern(language: CodeLanguage): RegExp {
  switch (language) {
    case "javascript":
      return /(?<![.\w$])(?:it|test|describe|context|suite|specify|bench)(?:\.\w+)*(?:\.(?:skip|only|todo|fails|failing)\b|\[\s*["'`](?:skip|only|todo|fails|failing)["'`]\s*\])|(?<![.\w$])(?:x|f)(?:it|describe|test|context|specify)(?:\.\w+)*\s*[(`]|\b(?:skipIf|runIf)\s*\(|\b(?:this|t|ctx|context)\.(?:skip|todo)\s*\(|(?<![.\w$])pending\s*\(|\bskip\s*:\s*(?:true\b|["'`])|\b(?:only|todo)\s*:\s*true\b|=>\s*\{\s*return\s*;|\bif\s*\(\s*(?:false|0|!1|!true)\s*\)|(?<![.\w$])(?:it|test|describe|expect|assert)\s*=\s*(?:\([^)\n]{0,80}\)|\w+)\s*=>\s*\{\s*\}/g;
    case "python":
      return /\b(?:pytest\.)?mark\.(?:skip\w*|xfail)\b|\bpytest\.(?:skip|xfail)\s*\(|\bunittest\.(?:skip\w*|expectedFailure)\b|@(?:skip\w*|expectedFailure|xfail)\b|\.skipTest\s*\(|\braise\s+(?:unittest\.)?SkipTest\b|\b__test__\s*=\s*False|\bcollect_ignore\b|\bif\s+(?:False|0)\s*:|\bdef test\w*\s*\([^)]{0,200}\)[^:\n]{0,80}:\s*(?:return|pass)\b/g;
    case "ruby":
      return /^[ \t]*(?:skip|pending)\b|(?<![.\w])(?:x|f)(?:it|describe|context|specify|example|scenario)\b|[,(]\s*:(?:skip|pending|focus)\b|\b(?:skip|pending|focus):\s*(?:true\b|["'])|\bif\s+false\b/gm;
    case "go":
      return /\b[tb]\.Skip(?:f|Now)?\s*\(|(?<![.\w])(?:[XPF](?:It|Describe|Context|When|Specify|Entry))\s*\(|\bSkip\s*\(|\bif\s+false\b/g;
    case "rust":
      return /#\[ignore\b|#\[cfg\s*\(\s*(?:any\s*\(\s*\)|FALSE|never)|#\[cfg_attr\s*\([^)\n]{0,100}\bignore\b|\bif\s+false\b/g;
    case "java":
      return /@(?:Disabled|Ignore|DisabledIf\w*|DisabledOn\w*)\b|\benabled\s*=\s*false|\bassum(?:e|ing)\w*\s*\(|\bAssum(?:e|ptions)\.\w+|\bif\s*\(\s*false\s*\)|(?<![.\w])(?:xit|xtest|xdescribe|xshould|xscenario|ignore|pending)\s*[({]/g;
    default:
      return /\bXCTSkip\w*|\bmarkTest(?:Skipped|Incomplete)\b|\[Ignore\b|\bSkip\s*=|@tag\s+:?skip|@(?:skip|Skip|Disabled|Ignore)\b|\bGTEST_SKIP\b|\bDISABLED_\w+|\bskip\s*:\s*true\b|^#\s*if\s+0\b|\bif\s*\(\s*(?:false|0)\s*\)|\.(?:skip|only|todo)\s*\(/gm;
  }
}
