import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arming, slots } from "./hooks.ts";
import { withOurs, withoutOurs } from "./install.ts";

const program = { node: "/usr/bin/node", bundle: "/opt/sekisho/dist/sekisho.cjs" };
const events = ["PreToolUse", "Stop", "SessionStart"] as const;
const text = (result: ReturnType<typeof withOurs>): string => {
  if ("problem" in result) throw new Error(result.problem);
  return result.text;
};
const install = (before: string | undefined): string => text(withOurs(before, events, program));
const remove = (before: string): string => text(withoutOurs(before));

const foreignHook = fc.record({
  type: fc.constant("command"),
  command: fc.constantFrom("echo a", "./lint.sh", "true"),
});
const foreignGroup = fc.record({
  matcher: fc.constantFrom("Bash", "*", "Edit|Write"),
  hooks: fc.array(foreignHook, { minLength: 1, maxLength: 3 }),
});
/** Settings files as people have them: other hooks, other keys. */
const foreignSettings = fc.record(
  {
    hooks: fc.dictionary(
      fc.constantFrom("PreToolUse", "PostToolUse", "Stop", "Notification"),
      fc.array(foreignGroup, { minLength: 1, maxLength: 3 }),
    ),
    permissions: fc.record({ allow: fc.array(fc.constantFrom("Bash(ls)", "Read")) }),
    model: fc.constantFrom("opus", "sonnet"),
  },
  { requiredKeys: [] },
);

describe("install and uninstall", () => {
  it("TS-17 a new file holds all our hooks and nothing else", () => {
    expect(arming(install(undefined), program).hooks).toHaveLength(slots(events, program).length);
    expect(Object.keys(JSON.parse(install(undefined)) as object)).toEqual(["hooks"]);
  });

  it("TS-17 foreign entries are kept, running it again changes nothing, and uninstall restores what was there", () => {
    fc.assert(
      fc.property(foreignSettings, (settings) => {
        const before = JSON.stringify(settings, null, 2);
        const once = install(before);
        expect(install(once)).toBe(once);
        expect(arming(once, program).hooks).toHaveLength(slots(events, program).length);
        const { hooks, ...rest } = settings;
        const expected = hooks && Object.keys(hooks).length > 0 ? { ...rest, hooks } : rest;
        expect(JSON.parse(remove(once))).toEqual(expected);
      }),
    );
  });

  it("TS-17 an older registration of ours is replaced, not doubled", () => {
    const old = JSON.stringify({
      hooks: { Stop: [{ hooks: [{ type: "command", command: "/old/sekisho.cjs", args: ["hook", "Stop"] }] }] },
    });
    const settings = JSON.parse(install(old)) as { hooks: { Stop: unknown[] } };
    expect(settings.hooks.Stop).toHaveLength(1);
  });

  it.each([
    ["{ not json", "line 1"],
    ['{\n  "a": 1,\n  oops\n}', "line 3"],
    ['{"hooks": []}', "hooks"],
    ['{"hooks": {"PreToolUse": [{"hooks": [{"type": "x"}]}]}}', "wrong shape"],
  ])("TS-17 a broken file is left alone, and the place is named: %j", (before, place) => {
    expect(withOurs(before, events, program)).toEqual({ problem: expect.stringContaining(place) });
  });

  it("TS-17 ours can be taken out even of a file that the client would not read", () => {
    const odd = JSON.stringify({ ...(JSON.parse(install(undefined)) as object), model: 5 });
    expect(withOurs(odd, events, program)).toHaveProperty("problem");
    expect(JSON.parse(remove(odd))).toEqual({ model: 5 });
  });

  it("keeps the indentation people chose", () => {
    expect(install('{\n\t"model": "opus"\n}\n')).toContain('\n\t"model": "opus"');
  });
});
