import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { trimContext } from "./context-trim.ts";

const NOW = Date.UTC(2026, 10, 16, 9, 0, 0);
const WHEN = "2026-11-16T09:00:00Z";

function ground() {
  const root = tempDirectory("trim");
  const project = join(root, "project");
  const at = (name: string): string => join(project, ".claude/context", name);
  fs.mkdirSync(at(""), { recursive: true });
  return {
    root,
    project,
    at,
    trim: () => trimContext(project, project, NOW, ".claude/context"),
    names: () => fs.readdirSync(at("")).sort(),
  };
}

const entry = (number: number): string => `## Entry ${number}\n\nwords ${number}\n\n`;
const entries = (from: number, to: number): string =>
  Array.from({ length: from - to + 1 }, (_, index) => entry(from - index)).join("");

describe("GT-53 trimming", () => {
  it("keeps the first ten entries and moves the rest to the archive", () => {
    const { at, trim, names } = ground();
    fs.writeFileSync(at("progress.md"), `# Progress\n\n${entries(13, 1)}`, { mode: 0o640 });
    expect(trim()).toEqual({
      entries: 13,
      archived: 3,
      headings: ["Entry 13", "Entry 12", "Entry 11"],
      stamped: false,
      left: [],
    });
    expect(fs.readFileSync(at("progress.md"), "utf8")).toBe(`# Progress\n\n${entries(13, 4)}`);
    expect(fs.statSync(at("progress.md")).mode & 0o777).toBe(0o640);
    const first = `# Progress, older entries\n\n<!-- from progress.md, ${WHEN} -->\n${entries(3, 1)}`;
    expect(fs.readFileSync(at("progress-archive.md"), "utf8")).toBe(first);
    fs.writeFileSync(at("progress.md"), entries(14, 4));
    expect(trim()).toMatchObject({ entries: 11, archived: 1 });
    expect(fs.readFileSync(at("progress-archive.md"), "utf8")).toBe(
      `${first}\n<!-- from progress.md, ${WHEN} -->\n${entry(4)}`,
    );
    expect(names()).toEqual(["progress-archive.md", "progress.md"]);
  });

  it("leaves ten entries unchanged, and reports nothing without files", () => {
    const { at, trim, names, project } = ground();
    expect(trim()).toBeUndefined();
    expect(trimContext("/gone", join(project, "gone"), NOW, ".claude/context")).toBeUndefined();
    fs.writeFileSync(at("progress.md"), entries(10, 1));
    const before = fs.statSync(at("progress.md"));
    expect(trim()).toMatchObject({ entries: 10, archived: 0, left: [] });
    expect(fs.statSync(at("progress.md"))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(names()).toEqual(["progress.md"]);
  });

  it("dates the plan after its first line, and updates an existing date", () => {
    const { at, trim } = ground();
    fs.writeFileSync(at("task_plan.md"), "# Plan\nBuild.\n");
    expect(trim()).toMatchObject({ stamped: true, left: [] });
    expect(fs.readFileSync(at("task_plan.md"), "utf8")).toBe(`# Plan\nLast compacted: ${WHEN}\nBuild.\n`);
    expect(trim()).toMatchObject({ stamped: true });
    expect(fs.readFileSync(at("task_plan.md"), "utf8")).toBe(`# Plan\nLast compacted: ${WHEN}\nBuild.\n`);
  });

  it("preserves bytes that are not UTF-8", () => {
    const { at, trim } = ground();
    const strange = Buffer.from([0xff, 0xfe, 0x0a]);
    const whole = Buffer.concat([strange, Buffer.from(entries(12, 1)), strange]);
    fs.writeFileSync(at("progress.md"), whole);
    trim();
    const [kept, gone] = [fs.readFileSync(at("progress.md")), fs.readFileSync(at("progress-archive.md"))];
    expect(Buffer.concat([kept, gone.subarray(gone.indexOf("## "))]).equals(whole)).toBe(true);
  });

  it("follows no link, neither for a file nor for the directory", () => {
    const { at, trim, root, project } = ground();
    const outside = join(root, "outside.md");
    fs.writeFileSync(outside, entries(12, 1));
    fs.symlinkSync(outside, at("progress.md"));
    fs.symlinkSync(outside, at("task_plan.md"));
    expect(trim()).toMatchObject({
      archived: 0,
      stamped: false,
      left: ["progress.md: is a link", "task_plan.md: is a link"],
    });
    fs.rmSync(at("progress.md"));
    fs.writeFileSync(at("progress.md"), entries(12, 1));
    fs.symlinkSync(outside, at("progress-archive.md"));
    expect(trim()).toMatchObject({ archived: 0, left: ["progress.md: is a link", "task_plan.md: is a link"] });
    expect(fs.readFileSync(at("progress.md"), "utf8")).toBe(entries(12, 1));
    fs.rmSync(at("progress-archive.md"));
    fs.linkSync(outside, at("progress-archive.md"));
    expect(trim()?.left[0]).toBe("progress.md: the archive is no ordinary file");
    const moved = join(root, "moved");
    fs.renameSync(at(""), moved);
    fs.symlinkSync(moved, join(project, ".claude/context"));
    expect(trim()).toMatchObject({ archived: 0, left: [".claude/context: is a link"] });
    expect(fs.readFileSync(outside, "utf8")).toBe(entries(12, 1));
    expect(fs.readFileSync(join(moved, "progress.md"), "utf8")).toBe(entries(12, 1));
  });

  it("leaves pipes, directories and huge files alone and reports them", () => {
    const { at, trim } = ground();
    execFileSync("mkfifo", [at("progress.md")]);
    fs.mkdirSync(at("task_plan.md"));
    expect(trim()?.left).toEqual(["progress.md: is no ordinary file", "task_plan.md: is no ordinary file"]);
    fs.rmSync(at("progress.md"));
    fs.writeFileSync(at("progress.md"), `${entries(12, 1)}${"x".repeat(1024 * 1024)}`);
    expect(trim()?.left[0]).toBe("progress.md: is too large");
    fs.writeFileSync(at("progress.md"), entries(12, 1));
    fs.writeFileSync(at("progress-archive.md"), "");
    fs.truncateSync(at("progress-archive.md"), 17 * 1024 * 1024);
    expect(trim()?.left[0]).toBe("progress.md: the archive is too large");
    expect(fs.readFileSync(at("progress.md"), "utf8")).toBe(entries(12, 1));
  });

  it("recovers from a temporary file that an earlier run left behind", () => {
    const { at, trim, names } = ground();
    fs.writeFileSync(at("task_plan.md"), "# Plan\n");
    fs.writeFileSync(at(`task_plan.md.${process.pid}.tmp`), "half");
    expect(trim()?.left).toEqual(["task_plan.md: EEXIST"]);
    expect(fs.readFileSync(at("task_plan.md"), "utf8")).toBe("# Plan\n");
    expect(trim()).toMatchObject({ stamped: true, left: [] });
    expect(names()).toEqual(["task_plan.md"]);
  });
});

it.each(["Asia/Tokyo", "America/St_Johns"])("ST-13 the archive names its time in UTC with a Z, in %s too", (zone) => {
  vi.stubEnv("TZ", zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { at, trim } = ground();
  fs.writeFileSync(at("progress.md"), entries(11, 1));
  trim();
  expect(fs.readFileSync(at("progress-archive.md"), "utf8")).toContain(`, ${WHEN} -->`);
});
