import { describe, expect, it } from "vitest";
import { newSession } from "../state/session.ts";
import { bindingOf } from "./binding.ts";
import type { Caller } from "./facts.ts";

const client = { pid: 7, started: "1" };
const caller: Caller = { client, isHost: true, insideAgent: false, heldElsewhere: false };
const bound = { ...newSession(0), client };

describe("binding", () => {
  it("is bound to the process it began with", () => {
    expect(bindingOf(bound, caller)).toBe("bound");
  });
  it("a reused process id is another process", () => {
    expect(bindingOf(bound, { ...caller, client: { pid: 7, started: "2" }, isHost: false })).toBe("unbound");
  });
  it("a new session may be bound by the host, and by nobody below an agent", () => {
    expect(bindingOf(newSession(0), caller)).toBe("new");
    expect(bindingOf(newSession(0), { ...caller, isHost: false })).toBe("unbound");
    expect(bindingOf(newSession(0), { ...caller, insideAgent: true })).toBe("unbound");
  });
  it("a session is taken over only when its process is gone", () => {
    const other = { ...caller, client: { pid: 8, started: "3" } };
    expect(bindingOf(bound, { ...other, heldElsewhere: true })).toBe("unbound");
    expect(bindingOf(bound, other)).toBe("new");
  });
  it("what cannot be checked is not bound", () => {
    expect(bindingOf({ unknown: "x" }, caller)).toBe("unbound");
    expect(bindingOf(bound, { unknown: "x" })).toBe("unbound");
    expect(bindingOf(bound, undefined)).toBe("unbound");
  });
});
