import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import type { HookEvent } from "../../kernel/event.ts";
import { boundSession } from "../../state/session/example-session.ts";
import type { HostProcess } from "../../state/session/session.ts";
import { newState } from "../../state/state.ts";
import { processAt } from "../machine/caller.ts";
import { identity } from "./identity.ts";

async function otherProcess(): Promise<{ readonly is: HostProcess; end(): Promise<void> }> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => 0, 1e6)"], { stdio: "ignore" });
  const closed = once(child, "close");
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await closed;
  };
  return { is: processAt(child.pid ?? 0), end };
}

function nameFor(holder: HostProcess, ended = false) {
  const held = { ...boundSession({ actor: "worker1" }), client: holder, ...(ended && { endedAt: 1 }) };
  const event = { name: "SessionStart", session: "mine", source: "startup" } as unknown as HookEvent;
  const steps = identity({
    ...{ event, env: { SEKISHO_AGENT: "worker1" }, settings: { roles: { preset: "lead", own: [] } } },
    ...{ state: { ...newState, sessions: { theirs: held } }, places: { home: "/" } },
    parentOf: () => processAt(process.pid),
  });
  return steps.next().value;
}

it("a name that another running session has is refused, and it is free when that session or its process ends", async () => {
  const other = await otherProcess();
  expect(nameFor(other.is)).toEqual({ refused: "worker1", heldBy: "theirs" });
  expect(nameFor(other.is, true)).toEqual({ name: "worker1" });
  // Another process with the same number.
  expect(nameFor({ ...other.is, started: "1" })).toEqual({ name: "worker1" });
  await other.end();
  expect(nameFor(other.is)).toEqual({ name: "worker1" });
});

it("the same process that begins another conversation keeps its name", () => {
  expect(nameFor(processAt(process.pid))).toEqual({ name: "worker1" });
});
