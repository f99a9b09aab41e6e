import * as child from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { driveNow, running } from "../../kernel/drive.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { PushSite } from "../../kernel/facts.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import { runNow } from "../machine/program.ts";
import { pushSites } from "./pushes.ts";

let home: string;
let project: string;

const git = (cwd: string, ...args: readonly string[]): void => {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
  child.execFileSync("git", [...who, ...args], { cwd, env: environment(), stdio: "ignore" });
};

function environment(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
}

beforeEach(() => {
  home = tempDirectory("pushes");
  const shared = join(home, "shared");
  project = join(home, "project");
  mkdirSync(shared);
  git(shared, "init", "-q", "-b", "next");
  git(shared, "commit", "-q", "--allow-empty", "-m", "first");
  git(home, "clone", "-q", shared, project);
  git(project, "switch", "-q", "-c", "topic", "--track", "origin/next");
});

function siteOf(command: string): PushSite | undefined {
  const tool = { kind: "bash", name: "Bash", command, background: false } as const;
  const from = {
    event: { name: "PreToolUse", cwd: project, tool } as unknown as HookEvent,
    operation: operationOf(tool, { cwd: project, home }),
    env: environment(),
    places: { project },
    deadline: Number.POSITIVE_INFINITY,
    clock: () => 0,
  };
  const sites = driveNow(
    pushSites(from),
    running((program) => runNow(program, child)),
  );
  return sites[project];
}

describe("where a push goes", () => {
  it("is said by the checked out branch and the default branch of the remote", () => {
    expect(siteOf("git push")).toMatchObject({ current: "topic", main: "next" });
    expect(siteOf("git push")).not.toHaveProperty("target");
    expect(siteOf("git status")).toBeUndefined();
  });

  it("follows the settings of git", () => {
    git(project, "config", "push.default", "upstream");
    expect(siteOf("git push")).toMatchObject({ current: "topic", target: "next" });
  });

  it("is not said on a detached HEAD", () => {
    git(project, "switch", "-q", "--detach");
    expect(siteOf("git push origin HEAD:next")).toBeUndefined();
  });

  it("is a scratch place only by the real address", () => {
    expect(siteOf("git push")).toMatchObject({ scratch: true });
    git(project, "remote", "set-url", "--push", "origin", "git@example.invalid:a/b.git");
    expect(siteOf("git push")).not.toHaveProperty("scratch");
  });
});
