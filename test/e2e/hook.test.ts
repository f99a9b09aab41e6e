/** The plain lane on the built program: every input gets a valid answer, and changes are blocked on failure. */
import { copyFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventName } from "../../src/kernel/event.ts";
import { sha256Hex } from "../../src/store/digest.ts";
import { filesBelow } from "../files.ts";
import { type Answer, expectValid, verdictOf, whole } from "./answer.ts";
import { program } from "./program.ts";
import { type Gate, openStage } from "./stage.ts";
import { isTranscript } from "./transcript.ts";

const PAYLOADS = join(import.meta.dirname, "..", "payloads");
const FORBIDDEN = "rm -rf /";

describe("every recorded payload of the host", () => {
  const names = readdirSync(PAYLOADS).filter((name) => !name.startsWith("statusLine"));

  it("TS-72 HK-22 AU-4 gets a valid answer for its event, everyday work passes, and one record is written", () => {
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
    // The calls of a batch share the record's id.
    const records = new Map(audit().map(({ id, event }) => [id, event]));
    expect([...records.values()]).toEqual(events);
  });
});

describe("an answer", () => {
  it("that cannot be written still leaves its record", () => {
    const { command, run, audit } = openStage();
    run("sh", ["-c", '"$@" 2>&- >&-', "sh", ...command("PreToolUse")], { input: whole(FORBIDDEN) });
    expect(audit()).toMatchObject([{ verdict: "deny" }]);
  });

  it("EH-30 HK-3 to a forbidden command is exit code 2 with what, why, instead and where to look", () => {
    const { code, stdout, stderr } = openStage().bash(FORBIDDEN);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/refuses.*\nWhy: .*\nInstead: .*\n(Also: .*\n)*For the person: sekisho explain \S+\n$/s);
  });

  it("HK-7 TS-13 to a doubtful command is a question, not a refusal", () => {
    const answer = openStage().bash("git tag -d old");
    expectValid("PreToolUse", answer);
    expect(verdictOf(answer)).toBe("ask");
  });

  it("EH-31 to a doubtful command without a person to ask is a refusal that says so", () => {
    const { bash } = openStage();
    const { code, stderr } = bash("git tag -d old", { permission_mode: "dontAsk" });
    expect(code).toBe(2);
    expect(stderr).toContain("nobody is here");
  });

  it("HK-2 to an ordinary command is silence", () => {
    expect(openStage().bash("ls")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("HK-6 is the same in every permission mode", () => {
    const { bash } = openStage();
    for (const mode of ["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto"]) {
      expect(bash(FORBIDDEN, { permission_mode: mode }).code).toBe(2);
    }
  });
});

describe("a program without its hook bundles", () => {
  const withoutBundles = (event: EventName, gate?: Gate): Answer => {
    const { root, command, run } = openStage();
    const alone = join(root, "sekisho.cjs");
    copyFileSync(program.bundle, alone);
    const words = command(event, { gate }).map((word) => (word === program.bundle ? alone : word));
    return run("env", words, { input: whole("ls") });
  };

  it("EH-1 refuses changes, and says what is broken and how to remove it", () => {
    const { code, stderr } = withoutBundles("PreToolUse", "change");
    expect(code).toBe(2);
    expect(stderr).toMatch(/Sekisho is broken \(.*\)\.\n.*sekisho uninstall/);
  });

  it.each([
    ["EH-1 reading", "PreToolUse", "harmless"],
    ["EH-10 Stop", "Stop", undefined],
    ["EH-9 PostToolUse", "PostToolUse", undefined],
    ["EH-12 UserPromptSubmit", "UserPromptSubmit", undefined],
  ] as const)("%s passes", (_, event, gate) => {
    expect(withoutBundles(event, gate)).toMatchObject({ code: 0, stdout: "" });
  });
});

describe("an unknown event", () => {
  it("passes and is recorded under its name", () => {
    const { send, audit } = openStage();
    expect(send("Notification", { hook_event_name: "MoonRise" })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(audit()).toMatchObject([{ event: "MoonRise", verdict: "pass" }]);
  });

  it("passes when its hook was registered under that name and its input cannot be read", () => {
    const { command, run } = openStage();
    const words = command("Stop").map((word) => (word === "Stop" ? "MoonRise" : word));
    expect(run("env", words, { input: "{" })).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

describe("a session id", () => {
  it.each([["../.."], ["../../outside"], ["__proto__"], ["a".repeat(300)], ["a/b"], ["a\u0000b"], [".hidden"], [""]])(
    "ST-1 ST-2 %j does no harm and counts as unknown",
    (session) => {
      const { send, bash, audit, root, state, project } = openStage();
      const before = filesBelow(root);
      send("SessionStart", { source: "startup", session_id: session });
      expect(bash(FORBIDDEN, { session_id: session }).code).toBe(2);
      expect(bash("ls", { session_id: session }).code).toBe(0);
      expect(audit().map(({ session_id: id }) => id)).toEqual(["unknown", "unknown", "unknown"]);
      const made = filesBelow(root).filter((path) => !before.includes(path));
      expect(made.filter((path) => !path.startsWith("state/sekisho/") && !isTranscript(path))).toEqual([]);
      // The digest of the work tree before the first change is computed in a repository of our own.
      const ours = /^sekisho\/(code-cache|[^/]+project)\/(trees\/[^/]+project\/.+|[^/]+)$/;
      expect(filesBelow(state).filter((path) => !ours.test(path))).toEqual([]);
      expect(filesBelow(project)).toEqual([".claude/settings.local.json"]);
    },
  );

  it.each([["constructor"], ["toString"]])("ST-2 %s works like any other", (session) => {
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
    const ageless = (key: string, value: unknown): unknown => (/^(?:age|ageSeconds|lastSeen)$/.test(key) ? 0 : value);
    const { sessions } = JSON.parse(sekisho("status", "--json").stdout, ageless) as { sessions: { id: string }[] };
    const [one, other] = [session, "ordinary"].map((id) => ({
      ...sessions.find((found) => found.id === id),
      id: "",
    }));
    expect(one).toEqual(other);
    expect(one).toMatchObject({ bound: true, pending: 0, outcomes: { success: 1, refused: 1 } });
  });
});

describe("the shell reader, most of the program", () => {
  it("is loaded for shell commands, and not for every edit", () => {
    const { bash, send, state, project } = openStage({ processes: "cold" });
    const cache = join(state, "sekisho", "code-cache");
    const hash = sha256Hex(readFileSync(join(dirname(program.bundle), "shell.cjs"), "utf8")).slice(0, 16);
    const edit = (id: string): Answer => {
      const change = { file_path: join(project, "a.ts"), old_string: "const a = 1;", new_string: "const a = 2;" };
      return send("PreToolUse", { tool_name: "Edit", tool_input: change, tool_use_id: id });
    };
    // What a process loads it stores as compiled code. The first edit of a session also looks for the project's checks.
    const isLoadedBy = (event: () => Answer): boolean => {
      rmSync(cache, { recursive: true, force: true });
      expect(event().code).toBe(0);
      return readdirSync(cache).some((name) => name.startsWith(hash));
    };
    expect(isLoadedBy(() => bash("ls"))).toBe(true);
    edit("e1");
    expect(isLoadedBy(() => edit("e2"))).toBe(false);
  });
});
