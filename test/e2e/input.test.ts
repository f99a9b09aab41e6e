/** Malformed input: changes are blocked, everything else goes on, and there is always an answer. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { EventName } from "../../src/kernel/event.ts";
import { type Answer, endOf, expectValid, verdictOf, whole } from "./answer.ts";
import { type Gate, openStage } from "./stage.ts";

const FORBIDDEN = "rm -rf /";

/** Where an unreadable body arrives, and the exit code there: changes are blocked, everything else passes. */
const PLACES: readonly (readonly [EventName, Gate | undefined, 0 | 2])[] = [
  ["PreToolUse", "change", 2],
  ["PreToolUse", "harmless", 0],
  ["Stop", undefined, 0],
  ["SubagentStop", undefined, 0],
  ["UserPromptSubmit", undefined, 0],
  ["PostToolUse", undefined, 0],
  ["PostToolUseFailure", undefined, 0],
  ["SessionStart", undefined, 0],
  ["PreCompact", undefined, 0],
];

const UNREADABLE: readonly (readonly [string, string | Uint8Array])[] = [
  ["nothing", ""],
  ["blanks", " \n\t\n"],
  ["a brace", "{"],
  ["a text cut off", whole(FORBIDDEN).slice(0, -30)],
  ["a text with something behind it", `${whole("ls")}}`],
  ["a list", `[${whole("ls")}]`],
  ["null", "null"],
  ["a number", "42"],
  ["a bare text", '"PreToolUse"'],
  ["bytes that are no UTF-8", Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x80)],
];

describe("an unreadable input", () => {
  it.each(UNREADABLE)("EH-1 EH-2 EH-9 EH-10 EH-12 EH-13 that is %s blocks changes and nothing else", (_, body) => {
    const { sendBytes, audit } = openStage({ processes: "warm" });
    const answers = PLACES.map(([event, gate]) => {
      const answer = sendBytes(event, body, { gate });
      expectValid(event, answer);
      return answer;
    });
    expect(answers.map(({ code }, at) => [...(PLACES[at] ?? []).slice(0, 2), code])).toEqual(PLACES);
    expect(answers.map(({ stdout }) => stdout).join("")).toBe("");
    expect(answers[0]?.stderr).toMatch(/the input is.*\n.*sekisho uninstall/s);
    const told = audit().map(({ kind, event, reason }) => [kind, event, reason?.startsWith("input: the input is")]);
    expect(told).toEqual(PLACES.map(([event]) => ["error", event, true]));
  });
});

describe("an input with invalid fields", () => {
  const atGate = (body: string, gate: Gate = "change"): Answer => {
    const answer = openStage({ processes: "warm" }).sendBytes("PreToolUse", body, { gate });
    expectValid("PreToolUse", answer);
    return answer;
  };
  const without = (field: string): string => JSON.stringify({ ...JSON.parse(whole(FORBIDDEN)), [field]: undefined });

  it("EH-2 without a tool name a change is refused, and the field is named", () => {
    const { code, stderr } = atGate(without("tool_name"));
    expect(code).toBe(2);
    expect(stderr).toContain("tool_name");
  });

  it("EH-1 without a tool name reading passes", () => {
    expect(atGate(without("tool_name"), "harmless").code).toBe(0);
  });

  it.each([
    ["a list", whole(["rm", "-rf", "/"])],
    ["an object", whole({ text: FORBIDDEN })],
    ["missing", whole(undefined)],
    ["null", whole(null)],
  ])("EH-2 a command that is %s is refused", (_, body) => {
    expect(atGate(body).code).toBe(2);
  });

  it.each([
    ["Write", { file_path: ["/etc/passwd"], content: "x" }],
    ["Edit", { file_path: "/etc/passwd", old_string: 1, new_string: "x" }],
    ["Bash", "rm -rf /"],
    ["Bash", null],
  ])("EH-2 %s with the input %j is refused", (tool, input) => {
    expect(atGate(whole("", { tool_name: tool, tool_input: input })).code).toBe(2);
  });

  it("EH-1 a Read whose path is not a string passes", () => {
    expect(atGate(whole("", { tool_name: "Read", tool_input: { file_path: 7 } }), "harmless").code).toBe(0);
  });

  it.each([["UserPromptSubmit"], ["Stop"], ["PostToolUse"], ["PostToolUseFailure"], ["SessionStart"]] as const)(
    "EH-9 EH-10 EH-12 EH-13 %s without any of its fields passes",
    (event) => {
      const answer = openStage({ processes: "warm" }).sendBytes(event, JSON.stringify({ hook_event_name: event }));
      expect(answer).toEqual({ code: 0, stdout: "", stderr: "" });
    },
  );
});

describe("a forbidden command does not pass", () => {
  const verdict = (body: string | Uint8Array): string => {
    const answer = openStage({ processes: "warm" }).sendBytes("PreToolUse", body);
    expectValid("PreToolUse", answer);
    return verdictOf(answer);
  };

  it("after a byte order mark", () => expect(verdict(`\ufeff${whole(FORBIDDEN)}`)).toBe("deny"));
  it("with the tool name in lower case", () => expect(verdict(whole(FORBIDDEN, { tool_name: "bash" }))).toBe("deny"));
  it("with the tool name in upper case", () => expect(verdict(whole(FORBIDDEN, { tool_name: "BASH" }))).toBe("deny"));
  it("with escapes in the field names", () =>
    expect(verdict(whole(FORBIDDEN).replace("tool_name", "tool\\u005fname"))).toBe("deny"));
  it("with escapes in the tool name", () =>
    expect(verdict(whole(FORBIDDEN).replace("Bash", "B\\u0061sh"))).toBe("deny"));
  it("with a harmless command first and the forbidden one in a duplicate field", () =>
    expect(verdict(whole("ls").replace('"command":"ls"', `"command":"ls","command":"${FORBIDDEN}"`))).toBe("deny"));
  it("with line breaks between the fields", () =>
    expect(verdict(JSON.stringify(JSON.parse(whole(FORBIDDEN)), null, 4).replaceAll("\n", "\r\n"))).toBe("deny"));
  it("after a NUL", () => expect(verdict(whole(`ls \u0000; ${FORBIDDEN}`))).not.toBe("pass"));
  it("with a NUL inside its name", () => expect(verdict(whole("r\u0000m -rf /"))).not.toBe("pass"));
  it("after 10 MB of spaces", () => expect(verdict(whole(" ".repeat(10_000_000) + FORBIDDEN))).not.toBe("pass"));
  it("after 10 MB of another command", () =>
    expect(verdict(whole(`echo ${"a".repeat(10_000_000)}; ${FORBIDDEN}`))).not.toBe("pass"));
  it("before a 10 MB comment", () =>
    expect(verdict(whole(`${FORBIDDEN} # ${"a".repeat(10_000_000)}`))).not.toBe("pass"));
  it("inside 600 nested substitutions", () =>
    expect(verdict(whole(`${"$(".repeat(600)}${FORBIDDEN}${")".repeat(600)}`))).not.toBe("pass"));
  it("after 600 openings that never close", () =>
    expect(verdict(whole(`echo ${"$(".repeat(600)}; ${FORBIDDEN}`))).not.toBe("pass"));
  it("with invalid UTF-8 after it", () => {
    const [before, after] = whole(`${FORBIDDEN} #@@`).split("@@");
    expect(verdict(Buffer.concat([Buffer.from(before ?? ""), Buffer.of(0xff, 0xc3), Buffer.from(after ?? "")]))).toBe(
      "deny",
    );
  });
  it("in a session without id, directory or call id", () =>
    expect(verdict('{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}')).toBe(
      "deny",
    ));
  it("without the event name in the input", () =>
    expect(verdict('{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}')).toBe("deny"));
});

describe("standard input", () => {
  it("HK-22 that stays open after complete JSON is answered at once", async () => {
    const child = openStage({ processes: "warm" }).start("PreToolUse");
    const ended = endOf(child);
    child.stdin.write(whole(FORBIDDEN));
    const answer = await ended;
    expect(verdictOf(answer)).toBe("deny");
    expectValid("PreToolUse", answer);
  });

  it("HK-22 that arrives in pieces is read completely", async () => {
    const child = openStage({ processes: "warm" }).start("PreToolUse");
    const ended = endOf(child);
    for (const letter of whole(FORBIDDEN)) await new Promise((written) => child.stdin.write(letter, written));
    child.stdin.end();
    expect(verdictOf(await ended)).toBe("deny");
  });

  it("EH-2 EH-10 EH-16 that stays open after half of the JSON is answered without waiting for the rest", async () => {
    const { start } = openStage({ processes: "warm" });
    const places = [
      ["PreToolUse", "change", 2],
      ["PreToolUse", "harmless", 0],
      ["Stop", undefined, 0],
    ] as const;
    const answers = places.map(([event, gate]) => {
      const child = start(event, { gate });
      child.stdin.write(whole("ls").slice(0, 40));
      return endOf(child);
    });
    expect((await Promise.all(answers)).map(({ code }) => code)).toEqual(places.map(([, , code]) => code));
  });

  it.each([
    ["EH-2 refused by the gate for changes", "PreToolUse", "change", 2],
    ["EH-1 let go by the gate for reading", "PreToolUse", "harmless", 0],
    ["EH-10 let go at Stop", "Stop", undefined, 0],
  ] as const)("that is a directory is %s", (_, event, gate, code) => {
    const { command, env, project } = openStage({ processes: "warm" });
    const [name, ...args] = command(event, { gate });
    const fd = openSync(project, "r");
    const { status } = spawnSync(name, args, { cwd: project, env, stdio: [fd, "pipe", "pipe"] });
    closeSync(fd);
    expect(status).toBe(code);
  });

  it.each([
    ["EH-2 refused by the gate for changes", "PreToolUse", "change", 2],
    ["EH-1 let go by the gate for reading", "PreToolUse", "harmless", 0],
    ["EH-10 let go at Stop", "Stop", undefined, 0],
  ] as const)("that is closed is %s", (_, event, gate, code) => {
    const { command, run } = openStage({ processes: "warm" });
    expect(run("sh", ["-c", 'exec "$@" <&-', "sh", ...command(event, { gate })]).code).toBe(code);
  });

  it("that is a file is read like a stream", () => {
    const { write, command, run } = openStage({ processes: "warm" });
    write("event.json", whole(FORBIDDEN));
    expect(run("sh", ["-c", 'exec "$@" < event.json', "sh", ...command("PreToolUse")]).code).toBe(2);
  });
});

describe("a bundle that gets another event", () => {
  it.each(["PostToolUse", "PostToolBatch", "Stop"] as const)("fails closed at %s", (registered) => {
    const stage = openStage();
    const body = whole(undefined, {
      tool_name: "Edit",
      tool_input: { file_path: `${stage.project}/.sekisho/config.yaml` },
    });
    expect(verdictOf(stage.sendBytes(registered, body))).toBe("deny");
  });
});
