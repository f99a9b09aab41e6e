import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { ordinaryFacts } from "../../policies/describe-policy.ts";
import { CONFIG } from "./layout.ts";
import { tasksOf } from "./tasks.ts";

let configuration: string;
let directory: string;
beforeEach(() => {
  configuration = tempDirectory("host-tasks");
  directory = join(configuration, "tasks", "s-1");
  mkdirSync(directory, { recursive: true });
});

function put(name: string, task: unknown, at = 1_000): void {
  const path = join(directory, name);
  writeFileSync(path, typeof task === "string" ? task : JSON.stringify(task));
  utimesSync(path, at, at);
}

const tasksIn = (directory: string, session: string) =>
  tasksOf({ env: { [CONFIG]: directory }, places: ordinaryFacts.places }, session);
const tasks = () => tasksIn(configuration, "s-1");
const NONE = { open: 0, done: 0, shown: [], changedAt: 0 };

describe("MD-41 the tasks that the agent keeps in the host", () => {
  it("there are none without a directory, for another session, or in an empty directory", () => {
    expect(tasks()).toEqual(NONE);
    put("1.json", { status: "pending", subject: "a" });
    expect(tasksIn(configuration, "s-2")).toEqual(NONE);
    expect(tasksIn(join(configuration, "gone"), "s-1")).toEqual(NONE);
  });

  it("pending and in-progress tasks are open", () => {
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

  it("malformed files are skipped and the others count", () => {
    const malformed = ["", "{", "null", "[]", '"text"', "7", "{}", '{"status":7}', '{"status":null}', "\u0000", "{]"];
    for (const [at, text] of malformed.entries()) put(`bad-${at}.json`, text);
    put("1.json", { status: "pending", subject: "a" });
    put("2.json", { status: "pending" });
    put("3.json", { status: "pending", subject: { a: 1 } });
    expect(tasks()).toMatchObject({ open: 3, done: 0 });
  });

  it("other files, pipes, directories, dangling links and huge files are not tasks", () => {
    put(".lock", { status: "pending" });
    put("notes.txt", { status: "pending" });
    put("huge.json", { status: "pending", subject: "x".repeat(100_000) });
    mkdirSync(join(directory, "directory.json"));
    execFileSync("mkfifo", [join(directory, "pipe.json")]);
    symlinkSync(join(directory, "gone"), join(directory, "link.json"));
    expect(tasks()).toEqual(NONE);
  });

  it("shows ten tasks with shortened subjects, and reads a bounded number of files", () => {
    for (let at = 0; at < 250; at += 1) put(`${at}.json`, { status: "pending", subject: "x".repeat(300) });
    const { open, shown } = tasks();
    expect([open, shown.length, shown[0]?.subject.length]).toEqual([200, 10, 80]);
  });
});
