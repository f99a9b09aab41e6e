import { describe, expect, it } from "vitest";
import { redIn } from "./red.ts";

const TAP = `TAP version 13
ok 1 - subtracts
not ok 2 - adds two numbers
  ---
  error: 'Expected values to be strictly equal: 3 !== 4'
  code: 'ERR_ASSERTION'
  ...
`;
const SPEC = "✔ subtracts (0.5ms)\n✖ adds two numbers (1.2ms)\n  AssertionError [ERR_ASSERTION]: 3 !== 4\n";
const PYTEST = "E   assert 3 == 4\nFAILED tests/test_add.py::adds two numbers - assert 3 == 4\n";
const VITEST = " ❯ add.test.ts\n   × adds two numbers 5ms\n     → expected 3 to be 4 // Object.is equality\n";
const GO = "--- FAIL: adds two numbers (0.00s)\n    add_test.go:9: expected 4, got 3\n";

describe("PL-8 red before green", () => {
  it.each([
    ["TAP", TAP],
    ["node", SPEC],
    ["pytest", PYTEST],
    ["vitest", VITEST],
    ["go", GO],
  ])("the named test is seen failing in the output of %s, and its name is learned", (_, output) => {
    expect(redIn({ exit: 1, output }, "adds two numbers")).toEqual({ test: "adds two numbers" });
    expect(redIn({ exit: 1, output }, null)).toEqual({ test: "adds two numbers" });
  });

  it.each([
    ["all tests pass", { exit: 0, output: SPEC }, "its tests passed"],
    ["a signal ended them", { exit: null, output: SPEC }, "did not come to an end"],
    [
      "another test fails",
      { exit: 1, output: SPEC.replace("adds", "multiplies") },
      "was not among those that failed (multiplies two",
    ],
    ["only the program fails", { exit: 1, output: "npm error missing script: test" }, "was not among"],
    [
      "it can't be loaded",
      { exit: 1, output: "not ok 1 - adds two numbers\n  error: Cannot find module './add.js'\n  expected\n" },
      "by no assertion",
    ],
    [
      "it throws by accident",
      {
        exit: 1,
        output: "✖ adds two numbers (1ms)\n  TypeError: add is not a function\n✖ other (1ms)\n  AssertionError: no\n",
      },
      "by no assertion",
    ],
  ])("nothing is red when %s", (_, ran, why) => {
    const seen = redIn(ran, "adds two numbers");
    expect("problem" in seen && seen.problem).toContain(why);
  });
});
