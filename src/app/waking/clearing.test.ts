import { describe, expect, it } from "vitest";
import { message } from "../../state/inbox/example-mail.ts";
import { type Letters, letters } from "../../state/letters/part.ts";
import { foldPart } from "../../state/part.ts";
import { clearOrder } from "./clearing.ts";

const roles = { preset: "lead", own: [] } as const;
const names = ["lead", "worker1", "worker2", "person"];
const order = (to: string, from: string, type = "clear_command") =>
  clearOrder(to, foldPart(letters, [message("m", { to, from, type })]) as Letters, roles, names);

describe("a message that asks to clear a conversation", () => {
  it("counts from the supervisor and from a person", () => {
    expect([order("worker1", "lead"), order("worker1", "person")]).toEqual([1, 1]);
  });

  it.each([
    ["another worker", "worker1", "worker2"],
    ["the agent itself", "worker1", "worker1"],
    ["anybody, to one that supervises others", "lead", "person"],
  ])("counts for nothing from %s", (_, to, from) => {
    expect(order(to, from)).toBeUndefined();
  });

  it("counts for nothing where its sender's name was read in a file", () => {
    const origin = { file: "worker1.yaml", key: "messages", index: 0, digest: "d" };
    for (const more of [{ file: "worker1.yaml" }, { origin }, { of: "m0" }]) {
      const record = message("m", { to: "worker1", from: "person", type: "clear_command", ...more });
      expect(clearOrder("worker1", foldPart(letters, [record]) as Letters, roles, names)).toBeUndefined();
    }
  });

  it("is known by its type", () => {
    expect(order("worker1", "lead", "note")).toBeUndefined();
  });
});
