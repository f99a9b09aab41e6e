import { describe, expect, it } from "vitest";
import { isMadeUp, withoutMadeUp } from "./made-up.ts";

describe("a made-up value", () => {
  it.each(["postgres", "test", "dummy", "e2e-test-secret-do-not-use", "test-invalid-token", "changeme", "***", "xxxx"])(
    "is %s",
    (value) => expect(isMadeUp(value)).toBe(true),
  );

  it.each(["", "x", "hunter2", "k3yf0rpr0d", "test-9f8e7d6c5b4a39281706", "latest", "contest", "s3cr3t!"])(
    "is not %s",
    (value) => expect(isMadeUp(value)).toBe(false),
  );
});

it("disappears from a text together with its name, and nothing else does", () => {
  expect(withoutMadeUp('{"idToken":"test","a":1}')).toBe('{,"a":1}');
  expect(withoutMadeUp("Authorization: Bearer dummy")).toBe("");
  expect(withoutMadeUp('{"idToken":"eyJhbGciOi"}')).toBe('{"idToken":"eyJhbGciOi"}');
});
