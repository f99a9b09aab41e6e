import { expect, it } from "vitest";
import { type PlaybookChange, reducePlaybooks, workIn } from "./playbooks.ts";

const approve = (path: string, digest = "d"): PlaybookChange => ({
  record: "playbook",
  do: "approve",
  root: "/p",
  path,
  by: "prompt",
  digest,
  parts: ["1:aa"],
});

it("an approved plan is the one that is worked on", () => {
  const state = reducePlaybooks({}, approve("a.md"), 5);
  expect(state["/p"]).toEqual({
    active: "a.md",
    approvals: { "a.md": { at: 5, by: "prompt", digest: "d", parts: ["1:aa"] } },
  });
  expect(reducePlaybooks(state, approve("b.md"), 6)["/p"]?.active).toBe("b.md");
});

it("closing a plan takes its approval away, and leaves another one at work", () => {
  const both = reducePlaybooks(reducePlaybooks({}, approve("a.md"), 5), approve("b.md"), 6);
  const close = (path: string): PlaybookChange => ({ record: "playbook", do: "close", root: "/p", path });
  expect(reducePlaybooks(both, close("a.md"), 7)["/p"]).toMatchObject({
    active: "b.md",
    lastClosed: { path: "a.md", at: 7 },
  });
  const none = reducePlaybooks(both, close("b.md"), 7)["/p"];
  expect(none?.active).toBeUndefined();
  expect(Object.keys(none?.approvals ?? {})).toEqual(["a.md"]);
});

it("closing a plan ends its review, its check and its work: the same file put back is a new plan", () => {
  const of = { record: "playbook", root: "/p", path: "a.md" } as const;
  const said = { verdict: "PASS", agent: "x", plan: "d", files: "", covered: 0, read: 1, ran: 0 } as const;
  const history: readonly PlaybookChange[] = [
    approve("a.md"),
    { ...of, do: "verdict", of: "reviewer", ...said },
    { ...of, do: "begin", base: "" },
    { ...of, do: "verdict", of: "critic", step: "1", ...said },
    { ...of, do: "check", files: "f", passed: ["1.1:aa"] },
  ];
  const done = history.reduce((all, one, at) => reducePlaybooks(all, one, at), {});
  expect(workIn(done["/p" as never], "a.md")?.steps).toMatchObject({ "1": { state: "passed" } });
  for (const end of [{ ...of, do: "close" } as const, { ...of, do: "cancel" } as const]) {
    const tree = [end, approve("a.md")].reduce((all, one) => reducePlaybooks(all, one, 9), done)["/p" as never];
    expect(tree).toMatchObject({ active: "a.md", reviews: {}, checked: {} });
    expect(workIn(tree, "a.md")).toBeUndefined();
  }
});

it("keeps few, the newest, and ignores what it does not know", () => {
  const many = Array.from({ length: 12 }, (_, at) => approve(`${at}.md`)).reduce(
    (all, one, at) => reducePlaybooks(all, one, at),
    {},
  );
  expect(Object.keys(many["/p" as never]?.["approvals"] ?? {})).toHaveLength(8);
  const state = reducePlaybooks({}, approve("a.md"), 5);
  expect(reducePlaybooks(state, { record: "playbook", do: "later", root: "/p" } as unknown as PlaybookChange, 6)).toBe(
    state,
  );
});
