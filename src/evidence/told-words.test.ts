import { describe, expect, it } from "vitest";
import { analysisWords, outcomeIn, testWords } from "./told-words.ts";

const analysis = (line: string): string => outcomeIn(line, analysisWords());
const tests = (line: string): string => outcomeIn(line, testWords());

describe("MD-64 analysis output", () => {
  it.each([
    "No issues found!",
    "0 issues found.",
    "No lint errors",
    "no lint warnings",
    "Lint passed",
    "\u2714 0 problems",
    "\u2714 No ESLint warnings or errors",
    "ESLint finished without warnings or errors",
    "Found 0 errors. Watching for file changes.",
    "Type check passed",
    "typecheck succeeded in 3 s",
    "Type-check: passed",
    "Success: no issues found in 12 source files",
    "All checks passed!",
    "0 issues.",
    "12 files inspected, no offenses detected",
    "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.31s",
    "[INFO] BUILD SUCCESS",
    "BUILD SUCCESSFUL in 2s",
  ])("passes on: %s", (line) => {
    expect(analysis(line)).toBe("passed");
  });

  it.each([
    "3 issues found",
    "1 issue found.",
    "\u2716 10 problems (8 errors, 2 warnings)",
    "1,204 problems",
    "ESLint found too many errors",
    "eslint: 3 errors and 0 warnings",
    "ESLint failed",
    "lint failed",
    "Type check failed",
    "Found 3 errors in 2 files.",
    "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    "2 files inspected, 1 offense detected",
    "error[E0382]: borrow of moved value: `a`",
    "error: could not compile `thing` (lib) due to 1 previous error",
    "[ERROR] COMPILATION ERROR :",
    "[INFO] BUILD FAILURE",
  ])("fails on: %s", (line) => {
    expect(analysis(line)).toBe("failed");
  });

  it.each([
    "lint passed, but type check failed",
    "Found 0 errors; 2 issues found",
    "No lint errors, 4 problems",
    "BUILD SUCCESSFUL, 3 problems",
  ])("failure wins within a line: %s", (line) => {
    expect(analysis(line)).toBe("failed");
  });

  it.each([
    "",
    "done",
    "10 files checked",
    "src/eslint-error-handler.ts",
    "problems",
    "I am linting",
    "20 problem-free days",
  ])("has no outcome: %s", (line) => {
    expect(analysis(line)).toBe("unknown");
  });
});

describe("MD-65 test output", () => {
  it.each([
    "All tests passed",
    "All 12 tests passed!",
    "Test Suites: 3 passed, 3 total",
    "Tests:       10 passed, 10 total",
    "Tests: 10 passed, 0 failed",
    "Tests:       2 skipped, 8 passed, 10 total",
    " Test Files  4 passed (4)",
    "12 tests, 0 failed",
    "0 failed, 12 passed",
    "0 tests failed",
    "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
    "ok | 5 passed | 0 failed (20ms)",
    "100% tests passed, 0 tests failed out of 5",
    "============ 3 passed in 0.12s ============",
    "==== 3 passed, 1 skipped, 2 warnings in 1.02s ====",
    "Ran 5 tests in 0.001s OK",
    "ok  \texample.com/thing/store\t0.012s",
    "ok  \texample.com/thing/store\t(cached)",
    "  12 passing (30ms)",
    "10 examples, 0 failures",
    "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1",
    "# pass 5",
    "\u2139 pass 5",
    "OK (5 tests, 9 assertions)",
    "Passed!  - Failed:     0, Passed:     5, Skipped:     0",
  ])("pass on: %s", (line) => {
    expect(tests(line.trim())).toBe("passed");
  });

  it.each([
    "Some tests failed",
    "3 tests failed",
    "1 test failed",
    "Tests:       1 failed, 9 passed, 10 total",
    "Test Suites: 2 failed, 1 passed, 3 total",
    "      Tests  2 failed | 10 passed (12)",
    "FAIL src/a.test.ts",
    " FAIL  src/a.test.ts > adds",
    "FAILED tests/test_a.py::test_adds - assert 1 == 2",
    "--- FAIL: TestAdds (0.00s)",
    "FAIL\texample.com/thing/store\t0.012s",
    "  2 failing",
    "==== 1 failed, 2 passed in 0.10s ====",
    "==== 2 passed, 1 error in 0.10s ====",
    "==== 1 error in 0.10s ====",
    "1 failed in 0.03s",
    "test result: FAILED. 4 passed; 1 failed; 0 ignored",
    "5 tests completed, 1 failed",
    "10 examples, 2 failures",
    "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
    "[ERROR] Tests run: 5, Failures: 0, Errors: 2, Skipped: 0",
    "# fail 1",
    "FAILED (failures=1)",
    "Failed!  - Failed:     1, Passed:     4",
  ])("fail on: %s", (line) => {
    expect(tests(line.trim())).toBe("failed");
  });

  it.each(["All tests passed but some tests failed", "Tests: 9 passed, 1 failed", "3 passed, 2 errors, 0 failed"])(
    "failure wins within a line: %s",
    (line) => {
      expect(tests(line)).toBe("failed");
    },
  );

  it.each([
    "",
    "passed",
    "0 failed",
    "2 failed login attempts",
    "Failed to connect",
    "FAIL-SAFE is on",
    "test result: ok. 0 passed; 0 failed; 0 ignored",
    "Ran 0 tests in 0.000s OK",
    "ok",
    "OK",
  ])("have no outcome: %s", (line) => {
    expect(tests(line)).toBe("unknown");
  });
});
