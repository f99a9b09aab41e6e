/** Files that are refused, with the reason and the position. */
import { describe, expect, it } from "vitest";
import { withOurs, withoutOurs } from "./install.ts";

const program = { node: "/usr/bin/node", bundle: "/opt/sekisho/dist/sekisho.cjs" };
const events = ["PreToolUse", "Stop", "SessionStart"] as const;
const installed = (): string => {
  const result = withOurs(undefined, events, program);
  if ("problem" in result) throw new Error(result.problem);
  return result.text;
};

describe("TS-17 a file with a problem is not changed, and the position is reported", () => {
  const refusals: readonly (readonly [string, string])[] = [
    ["{ not json", "line 1, column 3"],
    ['{\n  "a": 1,\n  oops\n}', "line 3, column 3"],
    ['{\n  "model": "opus",\n  "hooks": {,}\n}\n', "line 3, column 13"],
    [
      '{\n  // mine\n  "model": "opus"\n}',
      "a comment, and the client drops such a file whole; it is not valid JSON: line 2",
    ],
    ['{ "model": /* mine */ "opus" }', "line 1, column 12"],
    ['{\n  "model": "opus",\n}', "a comma too many: line 3, column 1"],
    ['{"permissions": {"allow": ["Read",]}}', "a comma too many: line 1, column 35"],
    ["{}{}", "line 1, column 3"],
    ["{} \0", "line 1, column 4"],
    ["\u00a0{}", "line 1, column 1"],
    ["{'a': 1}", "line 1, column 2"],
    ['{"a": "\n"}', "line 1"],
    ['{"a": 01}', "line 1"],
    ['{"a": NaN}', "line 1, column 7"],
    ["[]", "an object"],
    ["null", "an object"],
    ['"text"', "an object"],
    [`${"[".repeat(200_000)}${"]".repeat(200_000)}`, "nested too deeply"],
    ['{"hooks": []}', "hooks"],
    ['{"hooks": {"Stop": 5}}', "`hooks.Stop` is not a list"],
    ['{"hooks": {"Stop": null}}', "`hooks.Stop` is not a list"],
    ['{"hooks": {"Stop": []}, "hooks": {}}', '"hooks" stands in it twice'],
    [
      '{"hooks": {"Stop": [],\n "Stop": []}}',
      '"Stop" stands in it twice, and the client reads only the last one: line 2',
    ],
    ['{"hooks": {"PreToolUse": [{"hooks": [{"type": "x"}]}]}}', "wrong shape"],
  ];

  it.each(refusals.map(([text, place]) => [text.slice(0, 60), text, place]))("%j", (_, before, place) => {
    expect(withOurs(before, events, program)).toEqual({ problem: expect.stringContaining(place) });
  });

  it("our hooks can be removed even from a file the host would not read", () => {
    const odd = JSON.stringify({ ...(JSON.parse(installed()) as object), model: 5 });
    expect(withOurs(odd, events, program)).toHaveProperty("problem");
    expect(withoutOurs(odd)).toEqual({ text: '{"model":5}' });
  });

  it("unusual shapes are handled only when asked for", () => {
    const { hooks } = JSON.parse(installed()) as { hooks: { Stop: object[] } };
    const list = JSON.stringify({ hooks: [...hooks.Stop, { matcher: "x" }] });
    const twice = `{"hooks": ${JSON.stringify(hooks)}, "hooks": {"Stop": ${JSON.stringify(hooks.Stop)}}, "a": 1}`;
    for (const text of [list, twice]) expect(withoutOurs(text)).toHaveProperty("problem");
    expect(withoutOurs(list, undefined, "any")).toEqual({ text: '{"hooks":[{"matcher":"x"}]}' });
    expect(withoutOurs(twice, undefined, "any")).toEqual({ text: '{"a": 1}' });
  });
});
