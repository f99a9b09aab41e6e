/** The plain lane on the built program: whatever arrives is answered, validly, and gates stay shut. */
import { spawnSync } from "node:child_process";
import { closeSync, copyFileSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventName } from "../../src/kernel/event.ts";
import { type Answer, endOf, expectValid, filesBelow, type Gate, openStage, program, verdictOf } from "./stage.ts";

const PAYLOADS = join(import.meta.dirname, "..", "payloads");
const FORBIDDEN = "rm -rf /";

describe("every recorded payload of the client", () => {
  const names = readdirSync(PAYLOADS).filter((name) => !name.startsWith("statusLine"));

  it("TS-72 HK-22 AU-4 is answered validly for its event, lets everyday work through, and leaves one record", () => {
    const { sendBytes, audit } = openStage();
    const events = names.map((name) => {
      const body = readFileSync(join(PAYLOADS, name), "utf8");
      const { hook_event_name: event, tool_name: tool } = JSON.parse(body) as Record<string, string>;
      const gate: Gate = tool === "Read" || tool === "Skill" ? "harmless" : "change";
      const answer = sendBytes(event as EventName, body, { gate });
      expect({ name, ...answer }).toMatchObject({ code: 0, stderr: "" });
      expectValid(event ?? "", answer);
      return event;
    });
    expect(names.length).toBeGreaterThan(100);
    // A batch may tell of several calls: they share the record's id.
    const records = new Map(audit().map(({ id, event }) => [id, event]));
    expect([...records.values()]).toEqual(events);
  });
});

/** Where a body that cannot be read arrives, and what our failure means there. */
const PLACES: readonly (readonly [string, EventName, Gate | undefined, "refused" | "let go"])[] = [
  ["EH-1 EH-2 the gate for changes refuses", "PreToolUse", "change", "refused"],
  ["EH-1 the gate for reading lets go", "PreToolUse", "harmless", "let go"],
  ["EH-10 Stop lets go", "Stop", undefined, "let go"],
  ["EH-12 UserPromptSubmit lets go", "UserPromptSubmit", undefined, "let go"],
  ["EH-9 PostToolUse lets go", "PostToolUse", undefined, "let go"],
  ["EH-13 SessionStart lets go", "SessionStart", undefined, "let go"],
  ["EH-13 PreCompact lets go", "PreCompact", undefined, "let go"],
];

const whole = (command: unknown, more: object = {}): string =>
  JSON.stringify({
    session_id: "s1",
    cwd: "/",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "call-1",
    ...more,
  });

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

describe.each(UNREADABLE)("an input that is %s", (_, body) => {
  it.each(PLACES)("%s", (_, event, gate, expected) => {
    const { sendBytes, audit } = openStage();
    const answer = sendBytes(event, body, { gate });
    expectValid(event, answer);
    expect(answer.code).toBe(expected === "refused" ? 2 : 0);
    expect(answer.stdout).toBe("");
    if (expected === "refused") expect(answer.stderr).toMatch(/the input is.*\n.*sekisho uninstall/s);
    expect(audit()).toMatchObject([{ kind: "error", event, reason: expect.stringMatching(/^input: the input is/) }]);
  });
});

describe("an input whose fields are not what they should be", () => {
  const atGate = (body: string, gate: Gate = "change"): Answer => {
    const answer = openStage().sendBytes("PreToolUse", body, { gate });
    expectValid("PreToolUse", answer);
    return answer;
  };
  const without = (field: string): string => JSON.stringify({ ...JSON.parse(whole(FORBIDDEN)), [field]: undefined });

  it("EH-2 without a tool name the gate for changes refuses and names the field", () => {
    const { code, stderr } = atGate(without("tool_name"));
    expect(code).toBe(2);
    expect(stderr).toContain("tool_name");
  });

  it("EH-1 without a tool name the gate for reading lets go", () => {
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

  it("EH-1 a Read whose path is no text is let go", () => {
    expect(atGate(whole("", { tool_name: "Read", tool_input: { file_path: 7 } }), "harmless").code).toBe(0);
  });

  it.each([["UserPromptSubmit"], ["Stop"], ["PostToolUse"], ["PostToolUseFailure"], ["SessionStart"]] as const)(
    "EH-9 EH-10 EH-12 EH-13 %s without any of its fields is let go",
    (event) => {
      const answer = openStage().sendBytes(event, JSON.stringify({ hook_event_name: event }));
      expect(answer).toEqual({ code: 0, stdout: "", stderr: "" });
    },
  );
});

describe("a forbidden command is not passed", () => {
  const verdict = (body: string | Uint8Array): string => {
    const answer = openStage().sendBytes("PreToolUse", body);
    expectValid("PreToolUse", answer);
    return verdictOf(answer);
  };

  it("behind a byte order mark", () => expect(verdict(`\ufeff${whole(FORBIDDEN)}`)).toBe("deny"));
  it("with the tool's name in small letters", () =>
    expect(verdict(whole(FORBIDDEN, { tool_name: "bash" }))).toBe("deny"));
  it("with the tool's name in capitals", () => expect(verdict(whole(FORBIDDEN, { tool_name: "BASH" }))).toBe("deny"));
  it("with escapes in the field's names", () =>
    expect(verdict(whole(FORBIDDEN).replace("tool_name", "tool\\u005fname"))).toBe("deny"));
  it("with escapes in the tool's name", () => expect(verdict(whole(FORBIDDEN).replace("Bash", "B\\u0061sh"))).toBe("deny"));
  it("with the harmless command first and the forbidden one in a second field of the same name", () =>
    expect(verdict(whole("ls").replace('"command":"ls"', `"command":"ls","command":"${FORBIDDEN}"`))).toBe("deny"));
  it("with line feeds between the fields", () =>
    expect(verdict(JSON.stringify(JSON.parse(whole(FORBIDDEN)), null, 4).replaceAll("\n", "\r\n"))).toBe("deny"));
  it("behind a NUL", () => expect(verdict(whole(`ls \u0000; ${FORBIDDEN}`))).not.toBe("pass"));
  it("with a NUL inside its name", () => expect(verdict(whole("r\u0000m -rf /"))).not.toBe("pass"));
  it("behind 10 MB of blanks", () => expect(verdict(whole(" ".repeat(10_000_000) + FORBIDDEN))).not.toBe("pass"));
  it("behind 10 MB of another command", () =>
    expect(verdict(whole(`echo ${"a".repeat(10_000_000)}; ${FORBIDDEN}`))).not.toBe("pass"));
  it("in front of 10 MB of a comment", () =>
    expect(verdict(whole(`${FORBIDDEN} # ${"a".repeat(10_000_000)}`))).not.toBe("pass"));
  it("inside 600 nested substitutions", () =>
    expect(verdict(whole(`${"$(".repeat(600)}${FORBIDDEN}${")".repeat(600)}`))).not.toBe("pass"));
  it("behind 600 openings that never close", () =>
    expect(verdict(whole(`echo ${"$(".repeat(600)}; ${FORBIDDEN}`))).not.toBe("pass"));
  it("with bytes that are no UTF-8 behind it", () => {
    const [before, after] = whole(`${FORBIDDEN} #@@`).split("@@");
    expect(verdict(Buffer.concat([Buffer.from(before ?? ""), Buffer.of(0xff, 0xc3), Buffer.from(after ?? "")]))).toBe(
      "deny",
    );
  });
  it("in a session without a name, a directory or a call", () =>
    expect(verdict('{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}')).toBe("deny"));
  it("without the event's name in the input", () =>
    expect(verdict('{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}')).toBe("deny"));
});

describe("standard input", () => {
  it("HK-22 that stays open behind a whole JSON is answered without its end", async () => {
    const child = openStage().start("PreToolUse");
    const ended = endOf(child);
    child.stdin.write(whole(FORBIDDEN));
    const answer = await ended;
    expect(verdictOf(answer)).toBe("deny");
    expectValid("PreToolUse", answer);
  });

  it("HK-22 that comes in pieces is read whole", async () => {
    const child = openStage().start("PreToolUse");
    const ended = endOf(child);
    for (const letter of whole(FORBIDDEN)) await new Promise((written) => child.stdin.write(letter, written));
    child.stdin.end();
    expect(verdictOf(await ended)).toBe("deny");
  });

  it("EH-2 EH-10 EH-16 that stays open behind half a JSON is answered without waiting for the rest", async () => {
    const { start } = openStage();
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
  }, 15_000);

  it.each([
    ["EH-2 refused by the gate for changes", "PreToolUse", "change", 2],
    ["EH-1 let go by the gate for reading", "PreToolUse", "harmless", 0],
    ["EH-10 let go at Stop", "Stop", undefined, 0],
  ] as const)("that is a directory is %s", (_, event, gate, code) => {
    const { command, env, project } = openStage();
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
    const { command, run } = openStage();
    expect(run("sh", ["-c", 'exec "$@" <&-', "sh", ...command(event, { gate })]).code).toBe(code);
  });

  it("that is a file is read like a stream", () => {
    const { write, command, run } = openStage();
    write("event.json", whole(FORBIDDEN));
    expect(run("sh", ["-c", 'exec "$@" < event.json', "sh", ...command("PreToolUse")]).code).toBe(2);
  });
});

describe("an answer", () => {
  it("that nobody reads any more still leaves its record", () => {
    const { command, run, audit } = openStage();
    run("sh", ["-c", '"$@" 2>&- >&-', "sh", ...command("PreToolUse")], { input: whole(FORBIDDEN) });
    expect(audit()).toMatchObject([{ verdict: "deny" }]);
  });

  it("EH-30 HK-3 to a forbidden command is exit 2 with what, why, instead and where to look", () => {
    const { code, stdout, stderr } = openStage().bash(FORBIDDEN);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/refuses.*\nWhy: .*\nInstead: .*\n(Also: .*\n)*For the person: sekisho explain \S+\n$/s);
  });

  it("HK-7 TS-13 to a doubtful command is a question, not a refusal", () => {
    const answer = openStage().bash("git branch -D old");
    expectValid("PreToolUse", answer);
    expect(verdictOf(answer)).toBe("ask");
  });

  it("EH-31 to a doubtful command with nobody there is a refusal that says so", () => {
    const { bash } = openStage();
    const { code, stderr } = bash("git branch -D old", { permission_mode: "dontAsk" });
    expect(code).toBe(2);
    expect(stderr).toContain("nobody is here");
  });

  it("HK-2 to an ordinary command is silence", () => {
    expect(openStage().bash("ls")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("HK-6 holds whatever the permission mode is", () => {
    const { bash } = openStage();
    for (const mode of ["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto"]) {
      expect(bash(FORBIDDEN, { permission_mode: mode }).code).toBe(2);
    }
  });
});

describe("a program that has lost its other half", () => {
  const withoutBundles = (event: EventName, gate?: Gate): Answer => {
    const { root, command, run } = openStage();
    const alone = join(root, "sekisho.cjs");
    copyFileSync(program.bundle, alone);
    const words = command(event, { gate }).map((word) => (word === program.bundle ? alone : word));
    return run("env", words, { input: whole("ls") });
  };

  it("EH-1 refuses changes, and says what is broken and how to go on without it", () => {
    const { code, stderr } = withoutBundles("PreToolUse", "change");
    expect(code).toBe(2);
    expect(stderr).toMatch(/Sekisho is broken \(.*\)\.\n.*sekisho uninstall/);
  });

  it.each([
    ["EH-1 reading", "PreToolUse", "harmless"],
    ["EH-10 Stop", "Stop", undefined],
    ["EH-9 PostToolUse", "PostToolUse", undefined],
    ["EH-12 UserPromptSubmit", "UserPromptSubmit", undefined],
  ] as const)("%s is let go", (_, event, gate) => {
    expect(withoutBundles(event, gate)).toMatchObject({ code: 0, stdout: "" });
  });
});

describe("an event that this version does not know", () => {
  it("passes, and is in the trail by its name", () => {
    const { send, audit } = openStage();
    expect(send("Notification", { hook_event_name: "MoonRise" })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(audit()).toMatchObject([{ event: "MoonRise", verdict: "pass" }]);
  });

  it("passes when its hook was registered by that name and its input cannot be read", () => {
    const { command, run } = openStage();
    const words = command("Stop").map((word) => (word === "Stop" ? "MoonRise" : word));
    expect(run("env", words, { input: "{" })).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

describe("a session id", () => {
  it.each([["../.."], ["../../outside"], ["__proto__"], ["a".repeat(300)], ["a/b"], ["a\u0000b"], [".hidden"], [""]])(
    "ST-1 ST-2 %j harms nothing and counts as unknown",
    (session) => {
      const { send, bash, audit, root, state, project } = openStage();
      const before = filesBelow(root);
      send("SessionStart", { source: "startup", session_id: session });
      expect(bash(FORBIDDEN, { session_id: session }).code).toBe(2);
      expect(bash("ls", { session_id: session }).code).toBe(0);
      expect(audit().map(({ session_id: id }) => id)).toEqual(["unknown", "unknown", "unknown"]);
      const made = filesBelow(root).filter((path) => !before.includes(path));
      expect(made.filter((path) => !path.startsWith("state/sekisho/"))).toEqual([]);
      expect(filesBelow(state).filter((path) => !/^sekisho\/(code-cache|[^/]+project)\/[^/]+$/.test(path))).toEqual([]);
      expect(filesBelow(project)).toEqual([".claude/settings.local.json"]);
    },
  );

  it.each([["constructor"], ["toString"], ["hasOwnProperty"], ["valueOf"]])(
    "ST-2 %s works like any other",
    (session) => {
      const { send, bash, audit, sekisho } = openStage();
      for (const session_id of [session, "ordinary"]) {
        expect(send("SessionStart", { source: "startup", session_id }).code).toBe(0);
        expect(bash("ls", { session_id, tool_use_id: `${session_id}-1` }).code).toBe(0);
        const ended = { tool_name: "Bash", tool_input: { command: "ls" }, tool_response: {} };
        expect(send("PostToolUse", { ...ended, session_id, tool_use_id: `${session_id}-1` }).code).toBe(0);
        expect(bash(FORBIDDEN, { session_id, tool_use_id: `${session_id}-2` }).code).toBe(2);
        expect(send("Stop", { session_id, stop_hook_active: false }).code).toBe(0);
      }
      const told = (id: string) =>
        audit()
          .filter(({ session_id: of }) => of === id)
          .map(({ kind, outcome, unbound }) => ({ kind, outcome, unbound }));
      expect(told(session)).toEqual(told("ordinary"));
      const { sessions } = JSON.parse(sekisho("status", "--json").stdout) as { sessions: { id: string }[] };
      const [one, other] = [session, "ordinary"].map((id) => ({ ...sessions.find((found) => found.id === id), id: "" }));
      expect(one).toEqual(other);
      expect(one).toMatchObject({ bound: true, pending: 0, outcomes: { success: 1, refused: 1 } });
    },
  );
});
