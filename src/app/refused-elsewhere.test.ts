/** Calls that never ran, because we, another hook or the person refused them. */
import { describe, expect, it } from "vitest";
import { newState, type State } from "../state/state.ts";
import { memoryStore } from "../store/memory.ts";
import { auditView } from "../views/audit.ts";
import { hallWith, send } from "./example-hall.ts";

function working() {
  const store = memoryStore();
  const hall = hallWith(store);
  send(hall, "SessionStart", { source: "startup" });
  return {
    tries: (command: string, tool_use_id: string): number | null =>
      send(hall, "PreToolUse", { tool_name: "Bash", tool_input: { command }, tool_use_id }).exitCode,
    hears: (event: string, fields: object): void => void send(hall, event, fields),
    state: (): State => {
      const read = store.read();
      if ("fault" in read) throw new Error(read.fault);
      return read;
    },
    outcomes: (): readonly (string | undefined)[] => auditView([...store.records()], {}).map(({ outcome }) => outcome),
  };
}

/** As the host tells of a call that another hook refused after we had let it pass. */
const batch = { tool_calls: [{ tool_use_id: "c", tool_name: "Bash", tool_response: "Permission denied." }] };

describe("TR-87 a call that was refused", () => {
  it("TR-87 by us has the outcome refused, is not open, and changes no trust", () => {
    const { tries, state, outcomes } = working();
    expect(tries("rm -rf /", "c")).toBe(2);
    expect(outcomes()).toEqual(["refused"]);
    expect(state().trust).toEqual(newState.trust);
    expect(state().sessions["s-1"]).toMatchObject({ calls: {}, outcomes: { refused: 1 } });
  });

  it("TR-87 by another gate is pending until its batch ends, and refused then; no trust is lost or won", () => {
    const { tries, hears, state, outcomes } = working();
    expect(tries("make", "c")).toBe(0);
    expect(outcomes()).toEqual(["pending"]);
    hears("PostToolBatch", batch);
    expect(outcomes()).toEqual(["refused"]);
    expect(state().trust).toEqual(newState.trust);
    expect(state().sessions["s-1"]).toMatchObject({ calls: {}, outcomes: { refused: 1, success: 0, failure: 0 } });
  });

  it("TR-87 by another gate does not stay pending if the session ends first", () => {
    const { tries, hears, state, outcomes } = working();
    tries("make", "c");
    hears("SessionEnd", { reason: "other" });
    expect(outcomes()).toEqual(["abandoned"]);
    expect(state().trust).toEqual(newState.trust);
  });
});
