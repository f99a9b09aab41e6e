/** What an event waits for before it is judged. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { HOST, hosts } from "../hosts/index.ts";
import type { HookEvent } from "../kernel/event.ts";
import { ordinaryFacts } from "../policies/describe-policy.ts";
import { newSession } from "../state/session/session.ts";
import { newState, type State } from "../state/state.ts";
import { processAt } from "../world/machine/caller.ts";
import { knownBefore } from "./witness.ts";

const host = hosts[HOST];
const home = realpathSync(mkdtempSync(join(tmpdir(), "sekisho-witness-")));
const main = join(home, "s-1.jsonl");
const own = host.transcriptOfAgent?.(main, "a1") ?? "";
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Steps of waiting until the words of a subagent are known; they are in its transcript after so many. */
function waitsOf(type: string, writtenAfter: number): { readonly waits: number; readonly isSaid: boolean } {
  const line = (words: string): string =>
    `${JSON.stringify({ type: "assistant", timestamp: new Date().toISOString(), message: { role: "assistant", content: [{ type: "text", text: words }] } })}\n`;
  mkdirSync(dirname(own), { recursive: true });
  for (const path of [main, own]) writeFileSync(path, line("I begin."));
  const event = {
    ...{ name: "SubagentStop", session: "s-1", cwd: home, transcript: main, agentTranscript: own },
    ...{ agent: { id: "a1", type }, lastMessage: "VERDICT: PASS step 1" },
  } as unknown as HookEvent;
  const session = { ...newSession(1), client: processAt(process.ppid), transcript: main };
  const state: State = { ...newState, sessions: { "s-1": session } };
  const steps = knownBefore(state, {
    ...{ event, host, now: Date.now(), places: ordinaryFacts.places },
    ...{ armingOf: () => ({}) as never, parentOf: () => processAt(process.ppid) },
  });
  let waits = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) {
    expect(step.value).toMatchObject({ do: "wait" });
    if (++waits === writtenAfter) writeFileSync(own, line("VERDICT: PASS step 1"), { flag: "a" });
  }
  return { waits, isSaid: step.value.witness.isSaid === true };
}

it("the end of a judge waits for its own transcript, for half a second at most", () => {
  expect(waitsOf("sekisho:critic", 3)).toEqual({ waits: 3, isSaid: true });
  expect(waitsOf("reviewer", 1)).toEqual({ waits: 1, isSaid: true });
  expect(waitsOf("critic", Number.POSITIVE_INFINITY)).toEqual({ waits: 20, isSaid: false });
});

it("the end of another subagent waits for nothing", () => {
  expect(waitsOf("Explore", 1)).toEqual({ waits: 0, isSaid: false });
});
