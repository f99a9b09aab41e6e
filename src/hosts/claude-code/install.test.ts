import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Note, Wanted } from "../registration.ts";
import { arming } from "./arming.ts";
import { slots } from "./hooks.ts";
import { withOurs, withoutOurs } from "./install.ts";
import { registrationIn } from "./registered.ts";

const door = { port: 41_234, token: "t0ken" };
const program = { node: "/usr/bin/node", bundle: "/opt/sekisho/dist/sekisho.cjs", door };
const events = ["PreToolUse", "Stop", "SessionStart", "PostToolUse"] as const;
const count = slots(events, program).length;
const write = (before: string | undefined, wanted?: Wanted): { text: string; note: Note } => {
  const result = withOurs(before, events, program, wanted);
  if ("problem" in result) throw new Error(result.problem);
  return result;
};
const install = (before: string | undefined): string => write(before).text;
const remove = (before: string, note?: Note): string | undefined => {
  const result = withoutOurs(before, note);
  if ("problem" in result) throw new Error(result.problem);
  return result.text;
};

const foreignHook = fc.oneof(
  fc.record({
    type: fc.constant("command"),
    command: fc.constantFrom("echo a", "./lint.sh", "sekisho-like hook", "é"),
  }),
  fc.record({
    type: fc.constant("command"),
    command: fc.constant("/bin/echo"),
    args: fc.array(fc.constantFrom("sekisho", "hook", "x", "}", '"'), { maxLength: 1 }),
    timeout: fc.constantFrom(1, 0.5),
  }),
  fc.record({ type: fc.constant("http"), url: fc.constantFrom("http://127.0.0.1:9/x", "https://example.invalid/") }),
);
const foreignGroup = fc.record(
  { matcher: fc.constantFrom("Bash", "*", "Edit|Write"), hooks: fc.array(foreignHook, { maxLength: 3 }) },
  { requiredKeys: ["hooks"] },
);
/** Realistic settings: other hooks, plugins, env, unknown keys, unusual names. */
const foreignSettings = fc.record(
  {
    hooks: fc.dictionary(
      fc.constantFrom("PreToolUse", "PostToolUse", "Stop", "Notification", "Moonrise", "__proto__"),
      fc.array(foreignGroup, { maxLength: 3 }),
      { noNullPrototype: true },
    ),
    permissions: fc.record({ allow: fc.array(fc.constantFrom("Bash(ls)", "Read")) }),
    model: fc.constantFrom("opus", "ソネット"),
    env: fc.dictionary(fc.constantFrom("FOO", "NO_PROXY", "HTTP_PROXY"), fc.constantFrom("corp", "a,b", "")),
    enabledPlugins: fc.dictionary(fc.constantFrom("lint@market", "sekisho-look@market"), fc.boolean()),
    novelty: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
);
const indents = fc.constantFrom<(string | number)[]>(0, 2, 4, "\t", 1, 7);
/** The same file in many formats: one line, tabs, CRLF, byte order mark, extra spaces. */
const files = fc
  .record({
    settings: foreignSettings,
    indent: indents,
    eol: fc.constantFrom("\n", "\r\n"),
    bom: fc.boolean(),
    around: fc.constantFrom("", "\n", "\n\n", "  "),
    loose: fc.boolean(),
  })
  .map(({ settings, indent, eol, bom, around, loose }) => {
    const text = JSON.stringify(settings, null, indent);
    const spaced = loose ? text.replaceAll("{}", "{ }").replaceAll("[]", "[\n ]").replaceAll('": ', '" :  ') : text;
    return `${bom ? "\ufeff" : ""}${around}${spaced}${around}`.replaceAll("\n", eol);
  });
const wants = fc.constantFrom<Wanted[]>({}, { lane: "fast" }, { lane: "fast", noProxy: "corp,127.0.0.1" });

describe("install and uninstall", () => {
  it("TS-17 TR-110 a new file contains all our hooks and nothing else", () => {
    expect(arming(install(undefined), program).hooks).toHaveLength(count);
    expect(Object.keys(JSON.parse(install(undefined)) as object)).toEqual(["hooks"]);
  });

  it("TS-17 TR-110 TR-111 500 random files: all hooks are added, a second run changes nothing, and uninstall restores every byte", () => {
    fc.assert(
      fc.property(files, wants, (before, wanted) => {
        const { text, note } = write(before, wanted);
        const { length } = slots(events, program, wanted.lane ?? "plain");
        expect(arming(text, program).hooks.filter((name) => !name.startsWith("env."))).toHaveLength(length);
        expect(write(text, { ...wanted, note })).toEqual({ text, note });
        expect(remove(text, note)).toBe(before);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it("TS-17 TR-111 without the note, uninstall still restores the same meaning", () => {
    const meaning = (text: string | undefined): unknown => {
      const { hooks = {}, ...rest } = JSON.parse(text?.replace("\ufeff", "") ?? "{}") as { hooks?: object };
      const kept = Object.entries(hooks).filter(([, groups]) => (groups as unknown[]).length > 0);
      return { ...rest, hooks: kept };
    };
    fc.assert(
      fc.property(files, (before) => {
        const after = remove(install(before));
        expect(meaning(after)).toEqual(meaning(before));
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it("TS-17 switching lanes keeps the note about the original file", () => {
    fc.assert(
      fc.property(files, fc.array(wants, { maxLength: 4 }), (before, ways) => {
        const last = ways.reduce((at, wanted) => write(at.text, { ...wanted, note: at.note }), write(before));
        expect(remove(last.text, last.note)).toBe(before);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  it("TS-17 later changes by others stay, and our hooks are still removed", () => {
    const { text, note } = write('{"hooks": {}}');
    const settings = JSON.parse(text) as { hooks: { Stop: { hooks: object[] }[] } };
    settings.hooks.Stop[0]?.hooks.push({ type: "command", command: "theirs" });
    const after = remove(JSON.stringify({ model: "opus", ...settings }), note);
    expect(JSON.parse(after ?? "")).toEqual({
      model: "opus",
      hooks: { Stop: [{ hooks: [{ type: "command", command: "theirs" }] }] },
    });
  });

  it("our complete hooks stay where they are in the list", () => {
    const settings = JSON.parse(install(undefined)) as { hooks: { Stop: object[] } };
    settings.hooks.Stop.push({ hooks: [{ type: "command", command: "theirs" }] });
    const text = JSON.stringify(settings, null, 3);
    expect(install(text)).toBe(text);
  });

  it("TS-17 TR-110 an older registration of ours is replaced, not duplicated", () => {
    const old = JSON.stringify({
      hooks: {
        Stop: [{ hooks: [{ type: "command", command: "/old/sekisho.cjs", args: ["hook", "Stop"] }] }],
        Notification: [{ hooks: [{ type: "command", command: "/old/sekisho", args: ["hook", "Notification"] }] }],
      },
    });
    const { hooks } = JSON.parse(install(old)) as { hooks: Record<string, unknown[]> };
    expect(hooks["Stop"]).toHaveLength(1);
    expect(hooks).not.toHaveProperty("Notification");
  });

  it("uninstall restores a blank file and deletes a file that did not exist", () => {
    for (const before of ["", "\n", " \r\n"]) {
      const { text, note } = write(before);
      expect(remove(text, note)).toBe(before);
    }
    const { text, note } = write(undefined);
    expect(note.blank).toBe(null);
    expect(remove(text, note)).toBe(undefined);
    expect(remove(install("{}\n"))).toBe(undefined);
  });
});

describe("written text follows the style of the file", () => {
  it.each([
    ["tabs", '{\n\t"model": "opus"\n}\n', '\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{\n\t\t\t\t"matcher"'],
    ["CRLF", '{\r\n  "model": "opus"\r\n}\r\n', '"opus",\r\n  "hooks": {\r\n    "PreToolUse"'],
    ["one line", '{"model":"opus"}', '{"model":"opus","hooks":{"PreToolUse":[{"matcher"'],
  ])("%s", (_, before, piece) => {
    expect(install(before)).toContain(piece);
    if (before.includes("\r\n")) expect(install(before)).not.toMatch(/[^\r]\n/);
  });

  it("hooks are appended to an existing list", () => {
    const before = '{\n    "hooks": {\n        "Stop": [\n            { "hooks": [] }\n        ]\n    }\n}\n';
    expect(install(before)).toContain('\n            { "hooks": [] },\n            {\n                "hooks": [\n');
  });
});

describe("the proxy exception", () => {
  const fast = { lane: "fast", noProxy: "corp,127.0.0.1" } as const;

  it("is added where there was none, and removed together with the env created for it", () => {
    const { text, note } = write('{"model": "opus"}', fast);
    expect(JSON.parse(text)).toMatchObject({ env: { NO_PROXY: "corp,127.0.0.1" } });
    expect(remove(text, note)).toBe('{"model": "opus"}');
  });

  it("counts as part of the registration on the fast lane", () => {
    const { text } = write(undefined, fast);
    expect(arming(text, program).hooks).toContain("env.NO_PROXY");
    expect(arming(text, program).disarms).toEqual([]);
    expect(arming(install(undefined), program).hooks).not.toContain("env.NO_PROXY");
  });

  it("that was changed later loses only our entry", () => {
    const { text, note } = write('{"env": {"NO_PROXY": "corp"}}', fast);
    const changed = text.replace("corp,127.0.0.1", "corp,127.0.0.1,more");
    expect(JSON.parse(remove(changed, note) ?? "")).toEqual({ env: { NO_PROXY: "corp,more" } });
  });

  it("that existed before stays", () => {
    const before = '{"env": {"NO_PROXY": "127.0.0.1"}}';
    const { text, note } = write(before, { lane: "fast" });
    expect(remove(text, note)).toBe(before);
  });
});

it("detects our hooks in a text", () => {
  expect(
    [undefined, "", "{", "{}", '{"hooks": 5}', install(undefined)].map((text) => registrationIn(text) !== undefined),
  ).toEqual([false, false, false, false, false, true]);
});
