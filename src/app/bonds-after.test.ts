import { expect, it } from "vitest";
import type { HookEvent } from "../kernel/event.ts";
import type { Change } from "../state/change.ts";
import type { OpenCall } from "../state/session/calls.ts";
import { newSession, type Session } from "../state/session/session.ts";
import { defaultSettings } from "../state/settings/settings.ts";
import { newState, type State } from "../state/state.ts";
import type { Bonds } from "./bonds.ts";
import { bondsAfter } from "./bonds-after.ts";

const client = { pid: 1, start: "1" } as unknown as NonNullable<Session["client"]>;
const call: OpenCall = { tool: "Bash", at: 1, background: false, domain: "shell_exec" };

/** The bonds of a session after the host has reported the end of this call. */
function after(known: Partial<OpenCall>, outcome: "success" | "failure"): Bonds | undefined {
  const session: Session = { ...newSession(1), client, calls: { c: { ...call, ...known } } };
  const state: State = { ...newState, sessions: { s: session } };
  const event = { name: "PostToolUse", session: "s", call: "c", cwd: "/p" } as unknown as HookEvent;
  const change: Change = { record: "call", do: "close", id: "c", outcome };
  return bondsAfter(event, [change], state, undefined, defaultSettings, 2);
}

it("TR-28 the daemon's account of trust follows the rule of the journal: a spared failure costs nothing", () => {
  expect(after({}, "failure")?.trust).toEqual({ shell_exec: 0.255 });
  expect(after({ spared: true }, "failure")?.trust).toEqual({});
  expect(after({ also: ["git_read"] }, "success")?.trust).toEqual({ shell_exec: 0.335, git_read: 0.335 });
});

it("the daemon remembers what a yes covers", () => {
  expect(after({ agrees: ["file /p/.env", "host prod"] }, "success")?.agreed).toEqual(["file /p/.env", "host prod"]);
  expect(after({}, "success")?.agreed).toEqual([]);
});
