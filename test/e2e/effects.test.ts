/** What only the machine can tell about an effect: where links lead, who runs in a pane, where our hooks are. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROFILES } from "../../src/state/settings/profiles.ts";
import { until } from "../until.ts";
import { verdictOf } from "./answer.ts";
import { openStage } from "./stage.ts";

describe("a file tool", () => {
  it("is judged by where a link leads, and by what `..` means to it", () => {
    const stage = openStage();
    mkdirSync(join(stage.home, ".ssh"));
    symlinkSync(join(stage.home, ".ssh/authorized_keys"), join(stage.project, "notes.txt"));
    symlinkSync(join(stage.home, ".ssh"), join(stage.project, "notes"));
    const write = (path: string): string => verdictOf(stage.use("Write", { file_path: path, content: "x" }));
    expect(write(join(stage.project, "notes.txt"))).toBe("deny");
    expect(write(join(stage.project, "notes/authorized_keys2"))).toBe("deny");
    expect(write("notes/authorized_keys2")).toBe("deny");
    expect(write(join(stage.project, "notes/../src/a.ts"))).toBe("pass");
    expect(write("~/.bashrc")).toBe("ask");
  });

  it("without a session id changes nothing in any profile", () => {
    const stage = openStage();
    for (const { name: profile } of PROFILES) {
      stage.write(".sekisho/config.yaml", `profile:\n  name: ${profile}\n`);
      for (const session_id of [undefined, "", "../x", 7]) {
        const answer = stage.use("Write", { file_path: join(stage.project, "a.ts"), content: "x" }, { session_id });
        expect([profile, session_id, answer.code]).toEqual([profile, session_id, 2]);
        expect(answer.stderr).toContain("[require-session]");
      }
      expect(stage.use("Read", { file_path: join(stage.project, "a.ts") }, { session_id: "" }).code).toBe(0);
    }
  });
});

describe("the client started again", () => {
  it("passes only where the settings file with our hooks is read", () => {
    const stage = openStage({ registered: true });
    stage.send("SessionStart", { source: "startup" });
    const judged = (command: string): string => verdictOf(stage.bash(command));
    expect(judged("claude -p 'look at it'")).toBe("pass");
    expect(judged("cd / && claude -p 'look at it'")).toBe("ask");
    expect(judged("claude -p 'look at it' --bare")).toBe("ask");
  });
});

const TMUX = "/usr/bin/tmux";

describe.skipIf(!existsSync(TMUX))("keys for a pane", () => {
  it("pass only where no client runs", async () => {
    const stage = openStage();
    const socket = join(stage.root, "socket");
    const tmux = (...args: readonly string[]): string =>
      spawnSync(TMUX, ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" }).stdout.trim();
    onTestFinished(() => void tmux("kill-server"));
    copyFileSync("/bin/sleep", join(stage.root, "claude"));
    tmux("new-session", "-d", "-s", "held", `${join(stage.root, "claude")} 1000; true`);
    tmux("new-session", "-d", "-s", "dev", "sleep 1000");
    const pane = tmux("display-message", "-p", "-t", "held", "#{pane_pid}");
    const below = (): string => readFileSync(`/proc/${pane}/task/${pane}/children`, "utf8").trim();
    const name = (pid: string): string => readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    await until(() => below() !== "" && name(below()) === "claude", "the client in the pane");
    const typed = (pane: string): string => verdictOf(stage.bash(`tmux -S ${socket} send-keys -t ${pane} y Enter`));
    expect(["held", "dev", "nowhere"].map(typed)).toEqual(["deny", "pass", "ask"]);
    // A script of the session types for the agent.
    stage.write("type.sh", `tmux -S ${socket} send-keys -t held y Enter\n`);
    stage.use("Write", { file_path: join(stage.project, "type.sh"), content: stage.read("type.sh") });
    expect(verdictOf(stage.bash("bash type.sh"))).toBe("deny");
  });
});
