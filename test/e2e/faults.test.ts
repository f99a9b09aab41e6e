/**
 * A journal that cannot be written or was damaged: changes are blocked, reading goes on, and no acknowledged record is
 * lost.
 */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { filesBelow } from "../files.ts";
import { expectValid } from "./answer.ts";
import { mounting } from "./machine.ts";
import { openStage, type Stage } from "./stage.ts";

/** Collects acknowledged calls: a change that passed the gate, or a refusal that names its record. */
function worker(stage: Stage) {
  const acknowledged: string[] = [];
  let sent = 0;
  const work = (command = "touch made") => {
    const call = `work-${++sent}`;
    const answer = stage.bash(command, { tool_use_id: call });
    expectValid("PreToolUse", answer);
    if (answer.code === 0 || answer.stderr.includes("sekisho explain m")) acknowledged.push(call);
    return answer;
  };
  return { work, acknowledged };
}

/** Without a writable journal changes are denied with the cause, reading works, and no other event is blocked. */
function expectShut(stage: Stage, cause: RegExp): void {
  const { bash, use, send, project } = stage;
  const file = join(project, "x.txt");
  const changes = [
    bash("touch made"),
    bash("rm -rf /"),
    use("Write", { file_path: file, content: "x" }),
    use("Edit", { file_path: file, old_string: "a", new_string: "b" }),
    use("mcp__lab__echo", { text: "x" }),
    use("SomethingNew", {}),
  ];
  for (const answer of changes) {
    expectValid("PreToolUse", answer);
    expect(answer.code).toBe(2);
  }
  expect(changes[0]?.stderr).toMatch(cause);
  expect(changes[0]?.stderr).toMatch(/Instead: .*sekisho uninstall/);
  expect(changes[1]?.stderr).toContain("whole file system");
  expect(bash("cat x.txt").code).toBe(0);
  for (const tool of ["Read", "Grep", "TodoWrite"]) {
    expect(use(tool, { file_path: file, pattern: "x", todos: [] })).toEqual({ code: 0, stdout: "", stderr: "" });
  }
  for (const event of [
    "Stop",
    "SubagentStop",
    "UserPromptSubmit",
    "PostToolUse",
    "SessionStart",
    "PreCompact",
  ] as const) {
    const fields = { tool_name: "Bash", tool_input: { command: "ls" }, tool_response: {}, tool_use_id: "t" };
    const answer = send(event, fields);
    expect({ event, code: answer.code }).toEqual({ event, code: 0 });
    expectValid(event, answer);
  }
}

function expectAllThere(stage: Stage, acknowledged: readonly string[]): void {
  const there = stage.audit().map(({ tool_use_id: call }) => call);
  expect(acknowledged.filter((call) => !there.includes(call))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(stage.bash("touch made").code).toBe(0);
}

function mountState(stage: Stage, size: string): void {
  fs.mkdirSync(stage.state, { mode: 0o700 });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", stage.state]);
  onTestFinished(() => {
    execFileSync("umount", ["-l", stage.state]);
  });
}

describe("when the journal cannot be written", () => {
  it.skipIf(mounting.skip)(
    `EH-1 EH-10 EH-17 ST-6 TS-14 a full disk blocks changes, and no acknowledged record is lost${mounting.why}`,
    () => {
      const stage = openStage();
      mountState(stage, "4m");
      const { work, acknowledged } = worker(stage);
      for (let count = 0; count < 5; count++) work();
      const filler = join(stage.state, "filler");
      fillUp(filler);
      // The rest of the last disk page may still hold a record or two.
      for (let count = 0; count < 40 && work(`touch ${"x".repeat(300)}`).code === 0; count++);
      expectShut(stage, /ENOSPC|no space left|could not be written whole.*Free some space/is);
      fs.rmSync(filler);
      work();
      expectAllThere(stage, acknowledged);
      expect(["intact", "damaged"]).toContain(integrityOf(stage));
    },
  );

  it.skipIf(mounting.skip)(`ST-4 a full disk is not littered with half-written files${mounting.why}`, () => {
    const stage = openStage({ processes: "cold" });
    stage.write(".sekisho/config.yaml", "language: en\n");
    mountState(stage, "256k");
    for (let count = 0; count < 3; count++) {
      stage.bash("ls");
      stage.send("Stop");
    }
    expect(filesBelow(stage.state).filter((path) => path.endsWith(".tmp"))).toEqual([]);
  });

  it.skipIf(mounting.skip)(
    `a disk too small for the code cache is still large enough for the journal${mounting.why}`,
    () => {
      const stage = openStage({ processes: "cold" });
      mountState(stage, "256k");
      const codes = Array.from({ length: 16 }, () => stage.bash(`touch ${"x".repeat(400)}`).code);
      expect(codes.filter((code) => code !== 0)).toEqual([]);
    },
  );

  it.skipIf(mounting.skip)(
    `EH-1 EH-10 EH-17 TS-14 a read-only directory blocks changes, and no acknowledged record is lost${mounting.why}`,
    () => {
      const stage = openStage();
      mountState(stage, "4m");
      const { work, acknowledged } = worker(stage);
      for (let count = 0; count < 5; count++) work();
      execFileSync("mount", ["-o", "remount,ro", stage.state]);
      expectShut(stage, /EROFS.*Make the directory writable/s);
      expect(stage.audit().length).toBe(5);
      execFileSync("mount", ["-o", "remount,rw", stage.state]);
      work();
      expectAllThere(stage, acknowledged);
      expect(integrityOf(stage)).toBe("intact");
    },
  );

  it("EH-1 EH-10 a file in place of the state directory blocks changes until it is removed", () => {
    const stage = openStage();
    fs.mkdirSync(stage.state);
    fs.writeFileSync(join(stage.state, "sekisho"), "not a directory\n", { mode: 0o644 });
    expectShut(stage, /ENOTDIR|EEXIST|not a directory/i);
    expect(stage.bash("touch made").stderr).toContain("Something else stands where the journal belongs; move it away.");
    expect(fs.readFileSync(join(stage.state, "sekisho"), "utf8")).toBe("not a directory\n");
    fs.rmSync(join(stage.state, "sekisho"));
    const { work, acknowledged } = worker(stage);
    work();
    expectAllThere(stage, acknowledged);
  });

  it("EH-1 EH-10 a file in place of the project's journal blocks changes and is left alone", () => {
    const stage = openStage();
    stage.bash("ls");
    const directory = stage.journal();
    fs.rmSync(directory, { recursive: true });
    fs.writeFileSync(directory, "not a directory\n");
    fs.chmodSync(directory, 0o644);
    expectShut(stage, /ENOTDIR|not a directory/i);
    expect((fs.statSync(directory).mode & 0o777).toString(8)).toBe("644");
    fs.rmSync(directory);
    const { work, acknowledged } = worker(stage);
    work();
    expectAllThere(stage, acknowledged);
  });

  it.skipIf(process.geteuid?.() !== 0)("EH-5 a directory of another user is not trusted and blocks changes", () => {
    const stage = openStage();
    stage.bash("ls");
    fs.chownSync(stage.journal(), 12345, 12345);
    expectShut(stage, /belongs to user 12345/);
  });

  it("a link in place of the journal file is not followed", () => {
    const stage = openStage();
    stage.bash("ls");
    const [file] = fs.readdirSync(stage.journal()).filter((name) => name.startsWith("journal."));
    const path = join(stage.journal(), file ?? "");
    fs.renameSync(path, join(stage.root, "elsewhere"));
    fs.symlinkSync(join(stage.root, "elsewhere"), path);
    const before = fs.readFileSync(join(stage.root, "elsewhere"));
    expectShut(stage, /ELOOP.*move it away/s);
    expect(fs.readFileSync(join(stage.root, "elsewhere"))).toEqual(before);
  });
});

describe("a damaged journal", () => {
  const filled = (count: number) => {
    const stage = openStage();
    const { work, acknowledged } = worker(stage);
    for (let at = 0; at < count; at++) work();
    const files = fs.readdirSync(stage.journal()).map((name) => join(stage.journal(), name));
    const segment = files.find((path) => path.includes("/journal.")) ?? "";
    return { stage, work, acknowledged, files, segment };
  };

  it("ST-8 a corrupt snapshot is skipped: nothing is lost or blocked, and it is soon replaced", () => {
    const { stage, work, acknowledged, files } = filled(30);
    const snapshots = files.filter((path) => path.includes("/snap."));
    expect(snapshots.length).toBeGreaterThan(0);
    for (const path of snapshots) fs.writeFileSync(path, fs.readFileSync(path).fill(0, 100));
    expect(work().code).toBe(0);
    expect(work("rm -rf /").code).toBe(2);
    expectAllThere(stage, acknowledged);
    expect(JSON.parse(stage.sekisho("status", "--json").stdout)).toMatchObject({ verdicts: { pass: 32, deny: 1 } });
    expect(["intact", "rewritten"]).toContain(integrityOf(stage));
  });

  it("a torn last line is reported as truncated, after the next record as damaged; the other lines count", () => {
    const { stage, work, acknowledged, segment } = filled(5);
    fs.appendFileSync(segment, fs.readFileSync(segment).subarray(-120, -40));
    expect(stage.sekisho("audit", "verify")).toMatchObject({ code: 2, stdout: expect.stringContaining("truncated") });
    expect(work().code).toBe(0);
    expectAllThere(stage, acknowledged);
    expect(stage.audit()).toHaveLength(7);
    expect(stage.sekisho("audit", "verify")).toMatchObject({ code: 2, stdout: expect.stringContaining("damaged") });
  });

  it("a flipped bit costs one line, is reported by verify, and allows nothing", () => {
    const { stage, work, acknowledged, segment } = filled(5);
    const bytes = fs.readFileSync(segment);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    fs.writeFileSync(segment, bytes);
    expect(work("rm -rf /").code).toBe(2);
    const there = stage.audit().map(({ tool_use_id: call }) => call);
    expect(acknowledged.filter((call) => !there.includes(call))).toHaveLength(1);
    expect(stage.sekisho("audit", "verify").code).toBe(2);
  });

  it("random bytes in its place block nothing and are reported by verify", () => {
    const { stage, work, segment } = filled(1);
    fs.writeFileSync(segment, Buffer.alloc(5000, 0xff));
    expect(work().code).toBe(0);
    expect(work("rm -rf /").code).toBe(2);
    expect(stage.sekisho("audit", "verify").code).toBe(2);
  });
});

function integrityOf(stage: Stage): string {
  return (JSON.parse(stage.sekisho("audit", "verify", "--json").stdout) as { integrity: string }).integrity;
}

function fillUp(path: string): void {
  const fd = fs.openSync(path, "w");
  try {
    for (;;) fs.writeSync(fd, Buffer.alloc(4096, "x"));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
  } finally {
    fs.closeSync(fd);
  }
}
