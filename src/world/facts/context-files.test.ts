import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { HOST, hosts } from "../../hosts/index.ts";
import type { ContextFile } from "../../kernel/facts.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { contextFiles } from "./context-files.ts";

interface Ground {
  readonly project: string;
  readonly home: string;
  write(path: string, text: string): string;
  files(cwd?: string, learnings?: string): readonly ContextFile[];
}

function ground(): Ground {
  const root = tempDirectory("context");
  const [project, home] = [join(root, "project"), join(root, "home")];
  for (const directory of [project, home]) mkdirSync(directory);
  const { context } = defaultSettings;
  return {
    project,
    home,
    write(path, text) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      utimesSync(file, 1_700_000_000, 1_700_000_000);
      return file;
    },
    files: (cwd = project, learnings = context.global_learnings) =>
      contextFiles({
        host: hosts[HOST],
        event: { cwd },
        places: { project, home },
        settings: { context: { ...context, global_learnings: learnings } },
      }),
  };
}

const modified = "2023-11-14T22:13Z";

describe("context files", () => {
  it("GT-51 lists only existing files, with counts and times", () => {
    const { write, files } = ground();
    expect(files()).toEqual([]);
    write("project/.claude/context/progress.md", "# P\n## b\nwords\n## a\n");
    write("project/.claude/context/learnings.md", "words");
    write("project/.claude/context/learnings-design.md", "words");
    write("home/.claude/learnings/global-learnings.md", "words");
    expect(files()).toEqual([
      { name: ".claude/context/progress.md", entries: 2, modified },
      { name: ".claude/context/learnings.md", modified },
      { name: ".claude/context/learnings-design.md", modified, topic: "design" },
      { name: "~/.claude/learnings/global-learnings.md", modified },
    ]);
    expect(JSON.stringify(files())).not.toContain("words");
  });

  it("GT-57 the global learnings are read from the configured path", () => {
    const { write, files, project } = ground();
    const elsewhere = write("shared/learned.md", "");
    write("home/notes/learned.md", "");
    expect(files(project, elsewhere)).toEqual([{ name: elsewhere, modified }]);
    expect(files(project, "~/notes/learned.md")).toEqual([{ name: "~/notes/learned.md", modified }]);
    expect(files(project, "~/notes/none.md")).toEqual([]);
  });

  it("GT-51 pipes, directories, link loops and endless files do not block", () => {
    const { write, files, project } = ground();
    const at = (name: string): string => join(project, ".claude/context", name);
    write("project/.claude/context/progress.md", "## a\n".repeat(100_000));
    symlinkSync(at("task_plan.md"), at("task_plan.md"));
    execFileSync("mkfifo", [at("learnings.md")]);
    mkdirSync(at("learnings-coding.md"));
    symlinkSync("/dev/zero", at("learnings-design.md"));
    expect(files()).toEqual([
      { name: ".claude/context/task_plan.md" },
      { name: ".claude/context/progress.md", entries: expect.any(Number), more: true, modified },
    ]);
  });

  it("another work tree of the project has its own files; a foreign directory has none", () => {
    const { write, files, project } = ground();
    const git = (...args: readonly string[]): void =>
      void execFileSync("git", ["-C", project, "-c", "user.name=d", "-c", "user.email=d@example.invalid", ...args]);
    git("init", "--quiet");
    git("commit", "--quiet", "--allow-empty", "--message", "begin");
    git("worktree", "add", "--quiet", "../tree");
    write("project/.claude/context/task_plan.md", "");
    write("tree/.claude/context/learnings.md", "");
    write("stranger/.claude/context/progress.md", "");
    expect(files(join(project, "..", "tree")).map(({ name }) => name)).toEqual([".claude/context/learnings.md"]);
    for (const cwd of [project, "", "/gone", join(project, "..", "stranger")])
      expect(files(cwd).map(({ name }) => name)).toEqual([".claude/context/task_plan.md"]);
  });
});

it.each(["Asia/Tokyo", "America/St_Johns"])("ST-13 the time of a file is told in UTC with a Z, in %s too", (zone) => {
  vi.stubEnv("TZ", zone);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { write, files } = ground();
  write("project/.claude/context/progress.md", "## One\n");
  expect(files()).toMatchObject([{ modified: "2023-11-14T22:13Z" }]);
});
