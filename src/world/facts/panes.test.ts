/** With a real tmux: who reads what is typed into a pane. */
import * as child from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { until } from "../../../test/until.ts";
import { HOST, hosts } from "../../hosts/index.ts";
import { driveNow, running } from "../../kernel/drive.ts";
import type { Facts } from "../../kernel/facts.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import { newState } from "../../state/state.ts";
import { runNow } from "../machine/program.ts";
import { panesOf } from "./panes.ts";

const TMUX = "/usr/bin/tmux";
const isHere = existsSync(TMUX) && existsSync("/proc/self/stat");

interface Desk {
  readonly root: string;
  /** Starts a program under that name in a session of its own, and returns its process id. */
  start(session: string, program: string): Promise<number>;
  uses(command: string, env?: Readonly<Record<string, string>>): Facts["panes"];
}

function desk(): Desk {
  const root = tempDirectory("panes");
  const socket = join(root, "socket");
  const sessions = join(root, "sessions");
  mkdirSync(sessions);
  const tmux = (...args: readonly string[]): string =>
    child.spawnSync(TMUX, ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" }).stdout.trim();
  onTestFinished(() => void tmux("kill-server"));
  return {
    root,
    async start(session, program) {
      copyFileSync("/bin/sleep", join(root, program));
      tmux("new-session", "-d", "-s", session, `${join(root, program)} 1000; true`);
      const pane = tmux("display-message", "-p", "-t", session, "#{pane_pid}");
      const below = (): string => readFileSync(`/proc/${pane}/task/${pane}/children`, "utf8").trim();
      const isStarted = (): boolean => readFileSync(`/proc/${below()}/comm`, "utf8").trim() === program;
      await until(() => below() !== "" && isStarted(), program);
      return Number(below());
    },
    uses(command, env = {}) {
      const tool = { kind: "bash", name: "Bash", command: command.replaceAll("@", socket), background: false } as const;
      const from = {
        operation: operationOf(tool, { cwd: root, home: root }),
        env: { PATH: process.env["PATH"], HOME: root, ...env },
        places: { home: root, hostRecords: [sessions, join(root, "missing")] },
        host: hosts[HOST],
        state: newState,
        deadline: Number.POSITIVE_INFINITY,
        clock: () => 0,
      };
      const found = driveNow(
        panesOf(from),
        running((program) => runNow(program, child)),
      );
      return Object.fromEntries(Object.entries(found).map(([key, use]) => [key.replace(socket, "@"), use]));
    },
  };
}

describe.skipIf(!isHere)("who reads what is typed into a pane", () => {
  it("a host by its name, a pane without one, and one that leads to another machine", async () => {
    const { start, uses } = desk();
    await start("held", "claude");
    await start("server", "vite");
    await start("far", "ssh");
    expect(uses("tmux -S @ send-keys -t held y Enter")).toEqual({ "-S @ held": "host" });
    expect(uses("tmux -S @ send-keys -t server:0.0 y Enter")).toEqual({ "-S @ server:0.0": "free" });
    expect(uses("tmux -S @ send-keys -t far y Enter")).toEqual({ "-S @ far": "unknown" });
    expect(uses("tmux -S @ send-keys -t nowhere y Enter")).toEqual({ "-S @ nowhere": "unknown" });
    expect(uses("tmux send-keys -t held y Enter", { TMUX: "@,1,0" })).toEqual({ held: "unknown" });
  });

  it("a host by the file that it keeps of its session", async () => {
    const { root, start, uses } = desk();
    const pid = await start("held", "renamed");
    expect(uses("tmux -S @ send-keys -t held y Enter")).toEqual({ "-S @ held": "free" });
    writeFileSync(join(root, "sessions", `${pid}.json`), "{}");
    expect(uses("tmux -S @ send-keys -t held y Enter")).toEqual({ "-S @ held": "host" });
  });

  it("panes that are typed into together", async () => {
    const { root, start, uses } = desk();
    await start("both", "vite");
    child.spawnSync(TMUX, ["-S", join(root, "socket"), "setw", "-t", "both", "synchronize-panes", "on"]);
    expect(uses("tmux -S @ send-keys -t both y Enter")).toEqual({ "-S @ both": "unknown" });
  });

  it("nothing is looked up for a line that types nothing", () => {
    expect(desk().uses("tmux -S @ ls; npm test")).toEqual({});
  });
});
