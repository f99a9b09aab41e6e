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

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly title?: string;
  readonly sessions?: Readonly<Record<string, ReturnType<typeof boundSession>>>;
  readonly preset?: "lead" | "army";
}

function found({ env = {}, title, sessions = {}, preset = "lead" }: Given) {
  const event = { name: "SessionStart", session: "mine", source: "startup", title } as unknown as HookEvent;
  return identity({
    ...{ event, env, settings: { roles: { preset, own: [] } }, state: { ...newState, sessions } },
    ...{ places: { home: "/" }, parentOf: () => processAt(process.pid) },
  }).next().value;
}

const named = (actor: string, pid: number) => ({ ...boundSession({ actor }), client: processAt(pid) });

it.each(["person", "human", "殿"])("no session has the name of the person: %s", (name) => {
  expect(found({ env: { SEKISHO_AGENT: name }, preset: "army" })).toEqual({ refused: name, like: "person" });
});

it.each([
  ["Lead", "lead"],
  ["1ead", "lead"],
  ["lead_", "lead"],
  ["W0rker1", "worker1"],
  ["workerl", "worker1"],
  ["Docs", "docs"],
])("a name that looks like another one is refused: %s", (name, like) => {
  expect(found({ env: { SEKISHO_AGENT: name }, sessions: { other: named("docs", 1) } })).toEqual({
    refused: name,
    like,
  });
});

it.each(["lead2", "worker11", "leader"])("a name of its own is no likeness: %s", (name) => {
  expect(found({ env: { SEKISHO_AGENT: name }, sessions: { other: named("docs", 1) } })).toEqual({ name });
});

it("an agent starts only agents that report to it", () => {
  const by = (actor: string, name: string, preset: Given["preset"] = "lead") =>
    found({ env: { SEKISHO_AGENT: name }, sessions: { above: named(actor, process.ppid) }, ...(preset && { preset }) });
  expect(by("worker2", "lead")).toEqual({ refused: "lead", below: "worker2" });
  expect(by("worker2", "worker1")).toEqual({ refused: "worker1", below: "worker2" });
  expect(by("lead", "worker1")).toEqual({ name: "worker1" });
  expect(by("shogun", "ashigaru1", "army")).toEqual({ name: "ashigaru1" });
  expect(by("ashigaru1", "karo", "army")).toEqual({ refused: "karo", below: "ashigaru1" });
});

it("a process keeps the name of its earlier conversation, whatever its title says now", () => {
  expect(found({ title: "lead", sessions: { before: named("worker2", process.pid) } })).toEqual({ name: "worker2" });
  expect(found({ title: "lead" })).toEqual({ name: "lead" });
});

it("the same process that begins another conversation keeps its name", () => {
  expect(nameFor(processAt(process.pid))).toEqual({ name: "worker1" });
});
