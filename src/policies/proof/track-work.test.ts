import { describe, expect, it } from "vitest";
import type { Gathered } from "../../kernel/facts.ts";
import { verdictOf } from "../describe-policy.ts";
import { bash, edit, PLACE, read } from "../example.ts";
import { worker } from "./example-work.ts";
import { trackWork } from "./track-work.ts";

const changesOf = (when: Parameters<typeof verdictOf>[1], given?: Gathered) =>
  verdictOf(trackWork, when, given).changes;

const digest = { tree: "t-1", files: "f-1", code: "code-before" };

describe("the work of a session", () => {
  it("begins in a tree with the digest of its code before the first change, and not again", () => {
    const workplace = { root: PLACE, digest };
    expect(changesOf(edit(`${PLACE}/a.ts`), { workplace })).toEqual([
      { record: "work", do: "begin", id: "call-1", root: PLACE, base: "code-before", code: ["a.ts"] },
    ]);
    expect(changesOf(edit(`${PLACE}/a.ts`), { workplace, session: worker })).toEqual([
      { record: "work", do: "begin", id: "call-1", root: PLACE, code: ["a.ts"] },
    ]);
  });

  it("has an empty digest if the tree could not be seen: then nothing looks unchanged", () => {
    expect(
      changesOf(edit(`${PLACE}/a.ts`), { workplace: { root: PLACE, digest: { unseen: "no git" } } }),
    ).toMatchObject([{ base: "" }]);
  });

  it("names code that is changed by an edit or a command, at most three files, and no document", () => {
    expect(changesOf(bash("sed -i s/a/b/ a.ts"))).toMatchObject([{ code: ["a.ts"] }]);
    expect(changesOf(bash("rm a.ts b.ts c.ts d.ts"))).toMatchObject([{ code: ["a.ts", "b.ts", "c.ts"] }]);
    expect(changesOf(edit(`${PLACE}/README.md`))[0]).not.toHaveProperty("code");
  });

  it("names no code outside the tree", () => {
    expect(changesOf(edit("/tmp/scratch.ts"))[0]).not.toHaveProperty("code");
  });

  it("a line that only moves between commits changes no code, and is marked", () => {
    const [change] = changesOf(bash("git checkout main -- a.ts"));
    expect(change).toMatchObject({ moves: true });
    expect(change).not.toHaveProperty("code");
  });

  it("also begins in the trees beside this one", () => {
    const beside = [{ root: "/home/dev/other", digest: { ...digest, code: "other-before" } }];
    expect(changesOf(edit("/home/dev/other/x.ts"), { workplace: { root: PLACE, digest, beside } })).toMatchObject([
      { root: PLACE, beside: [{ root: "/home/dev/other", base: "other-before", code: ["x.ts"] }] },
    ]);
  });

  it("reading is no work", () => expect(changesOf(read(`${PLACE}/a.ts`))).toEqual([]));
});

it("the definition of a check is remembered where the session meets it for the first time", () => {
  const workplace = { root: PLACE, definitions: { test: "d-1" } };
  expect(changesOf(edit(`${PLACE}/a.ts`), { workplace })).toContainEqual({
    ...{ record: "check", do: "define", root: PLACE, definitions: { test: "d-1" } },
  });
  expect(changesOf(edit(`${PLACE}/a.ts`), { workplace: { root: PLACE, definitions: {} } })).toHaveLength(1);
});
