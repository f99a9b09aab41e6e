import { expect, it } from "vitest";
import { newSession, reduceSession, type Session, type SessionChange } from "./session.ts";

const after = (...changes: readonly SessionChange[]): Session =>
  changes.reduce((session, change) => reduceSession(session, change, 5), newSession(0));

it("MD-92 PB-27 the handover that a session was told is remembered exactly, beyond the end of the session", () => {
  const session = after(
    { record: "session", do: "restore", at: 1_700_000_000_000.25 },
    { record: "session", do: "tell-orphan", orphan: "gone" },
    { record: "session", do: "end" },
    { record: "session", do: "begin", registration: {} },
  );
  expect(session).toMatchObject({ restored: 1_700_000_000_000.25, toldOf: "gone" });
  expect(reduceSession(session, { record: "session", do: "restore", at: 7 }, 6).restored).toBe(7);
});
