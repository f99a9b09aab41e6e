import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { boundSession } from "../../state/session/example-session.ts";
import { newState } from "../../state/state.ts";
import { processAt } from "../../world/machine/caller.ts";
import { sessionAbove } from "./sessions.ts";

it.skipIf(!existsSync("/proc/self/stat"))(
  "a shell belongs to the nearest session above it, also if the one that started that session was active later",
  async () => {
    const shell = spawn("sleep", ["60"], { stdio: "ignore" });
    onTestFinished(() => void shell.kill("SIGKILL"));
    await once(shell, "spawn");
    const session = (pid: number, actor: string, lastAt: number) => ({
      ...boundSession({ actor }),
      client: processAt(pid),
      lastAt,
    });
    const sessions = { outer: session(process.ppid, "lead", 9), inner: session(process.pid, "worker1", 1) };
    const above = sessionAbove({ ...newState, sessions }, shell.pid ?? 0, 10);
    expect(above?.[0]).toBe("inner");
  },
);
