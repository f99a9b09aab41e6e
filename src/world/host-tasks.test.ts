import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hostTasks } from "./host-tasks.ts";

let configuration: string;
let directory: string;
beforeEach(() => {
  configuration = mkdtempSync(join(tmpdir(), "sekisho-host-tasks-"));
  directory = join(configuration, "tasks", "s-1");
  mkdirSync(directory, { recursive: true });
});
afterEach(() => rmSync(configuration, { recursive: true }));

function put(name: string, task: unknown, at = 1_000): void {
  const path = join(directory, name);
  writeFileSync(path, typeof task === "string" ? task : JSON.stringify(task));
  utimesSync(path, at, at);
}

const tasks = () => hostTasks(configuration, "s-1");
const NONE = { open: 0, done: 0, shown: [], changedAt: 0 };

describe("MD-41 the tasks that the agent keeps in its host", () => {
  it("none where there is no directory, for another session, or in an empty one", () => {
    expect(tasks()).toEqual(NONE);
    put("1.json", { status: "pending", subject: "a" });
    expect(hostTasks(configuration, "s-2")).toEqual(NONE);
    expect(hostTasks(join(configuration, "gone"), "s-1")).toEqual(NONE);
  });

  it("open are those that are pending or in progress", () => {
    put("1.json", { id: "1", subject: "build it", status: "completed" }, 1_000);
    put("2.json", { id: "2", subject: "test it", status: "in_progress" }, 3_000);
    put("3.json", { id: "3", subject: "tell\nof it", status: "pending" }, 2_000);
    put("4.json", { id: "4", subject: "dropped", status: "deleted" });
    expect(tasks()).toEqual({
      open: 2,
      done: 1,
      shown: [
        { subject: "test it", status: "in_progress" },
        { subject: "tell of it", status: "pending" },
      ],
      changedAt: 3_000_000,
    });
  });

  it("malformed files are skipped, and the others count", () => {
    const malformed = ["", "{", "null", "[]", '"text"', "7", "{}", '{"status":7}', '{"status":null}', "\u0000", "{]"];
    for (const [at, text] of malformed.entries()) put(`bad-${at}.json`, text);
    put("1.json", { status: "pending", subject: "a" });
    put("2.json", { status: "pending" });
    put("3.json", { status: "pending", subject: { a: 1 } });
    expect(tasks()).toMatchObject({ open: 3, done: 0 });
  });

  it("other files are none, nor are pipes, directories, links that lead nowhere and huge ones", () => {
    put(".lock", { status: "pending" });
    put("notes.txt", { status: "pending" });
    put("huge.json", { status: "pending", subject: "x".repeat(100_000) });
    mkdirSync(join(directory, "directory.json"));
    execFileSync("mkfifo", [join(directory, "pipe.json")]);
    symlinkSync(join(directory, "gone"), join(directory, "link.json"));
    expect(tasks()).toEqual(NONE);
  });

  it("ten are shown, with the beginning of a long subject; of very many not all are read", () => {
    for (let at = 0; at < 250; at += 1) put(`${at}.json`, { status: "pending", subject: "x".repeat(300) });
    const { open, shown } = tasks();
    expect([open, shown.length, shown[0]?.subject.length]).toEqual([200, 10, 80]);
  });
});
