import { describe, expect, it } from "vitest";
import { EXAMPLE_PROCESS } from "../state/session/example-session.ts";
import { newSession } from "../state/session/session.ts";
import { bindingOf } from "./binding.ts";
import type { Caller } from "./facts.ts";

const client = EXAMPLE_PROCESS;
const caller: Caller = { process: client, isHost: true, insideAgent: false, heldElsewhere: false };
const bound = { ...newSession(0), client };

describe("binding", () => {
  it("a session is bound to the process it started with", () => {
    expect(bindingOf(bound, caller)).toBe("bound");
  });
  it("a reused process id is another process", () => {
    expect(bindingOf(bound, { ...caller, process: { pid: 7, started: "2" }, isHost: false })).toBe("unbound");
  });
  it("the host can bind a new session, a process inside an agent cannot", () => {
    expect(bindingOf(newSession(0), caller)).toBe("new");
    expect(bindingOf(newSession(0), { ...caller, isHost: false })).toBe("unbound");
    expect(bindingOf(newSession(0), { ...caller, insideAgent: true })).toBe("unbound");
  });
  it("a session is taken over only when its process has exited", () => {
    const other = { ...caller, process: { pid: 8, started: "3" } };
    expect(bindingOf(bound, { ...other, heldElsewhere: true })).toBe("unbound");
    expect(bindingOf(bound, other)).toBe("new");
  });
  it("an unknown session or caller is unbound", () => {
    expect(bindingOf({ unknown: "x" }, caller)).toBe("unbound");
    expect(bindingOf(bound, { unknown: "x" })).toBe("unbound");
    expect(bindingOf(bound, undefined)).toBe("unbound");
  });
});
