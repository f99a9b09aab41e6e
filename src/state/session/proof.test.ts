import { describe, expect, it } from "vitest";
import type { Change } from "../change.ts";
import type { JournalRecord } from "../record.ts";
import { fold, newState } from "../state.ts";
import {
  APPROVALS_MAX,
  newProof,
  type Proof,
  type ProofChange,
  READS_MAX,
  REVIEWERS_MAX,
  REVIEWS_MAX,
  reduceProof,
  SKILLS_MAX,
} from "./proof.ts";
import type { Session } from "./session.ts";

function told(t: number, changes: readonly Change[], more: object = {}): JournalRecord {
  return {
    kind: "verdict",
    rid: `r${t}`,
    t,
    event: "PostToolUse",
    session: "s",
    decision: "pass",
    changes,
    ...more,
  } as never;
}

function folded(...records: readonly JournalRecord[]): Session | undefined {
  return records.reduce(fold, newState).sessions["s"];
}

const skill: ProofChange = { record: "proof", do: "skill", name: "plugin:code-quality-rules" };
const begin: Change = { record: "session", do: "begin", registration: {} };
const compact: Change = { record: "session", do: "compact" };
const end: Change = { record: "session", do: "end" };

describe("GT-3 evidence of a session", () => {
  it("GT-9 a skill is recorded by the part after the last colon, with its time", () => {
    expect(folded(told(5, [skill]))?.proof?.skills).toEqual({ "code-quality-rules": 5 });
  });

  it("no evidence is stored when nothing was shown", () => expect(folded(told(5, [begin]))?.proof).toBeUndefined());

  it("an unbound event is not evidence", () => {
    expect(folded(told(5, [skill], { unbound: true }))?.proof).toBeUndefined();
  });

  it("ST-12 compaction and resume keep evidence; the end of a session drops the reads", () => {
    const read: ProofChange = { record: "proof", do: "read", path: "/p/a.ts" };
    expect(folded(told(5, [skill, read]), told(6, [compact]), told(7, [begin]))?.proof).toEqual({
      ...newProof,
      skills: { "code-quality-rules": 5 },
      reads: { "/p/a.ts": 5 },
    });
    const resumed = folded(told(5, [skill, read]), told(6, [end]), told(7, [begin]));
    expect(resumed?.proof).toEqual({ ...newProof, skills: { "code-quality-rules": 5 } });
  });

  it("an inactive session keeps its newest reads", () => {
    const reads = Array.from(
      { length: 20 },
      (_, at): ProofChange => ({ record: "proof", do: "read", path: `/p/${at}` }),
    );
    const records = [...reads.map((read, at) => told(at, [read])), told(5_000_000, [], { session: "other" })];
    const state = records.reduce(fold, newState);
    expect(Object.keys(state.sessions["s"]?.proof?.reads ?? {}).sort()).toEqual(
      [12, 13, 14, 15, 16, 17, 18, 19].map((at) => `/p/${at}`),
    );
  });

  it("stays small for any input", () => {
    let proof: Proof = newProof;
    for (let at = 0; at < 200; at++) {
      const changes: readonly ProofChange[] = [
        { record: "proof", do: "skill", name: `s${at}` },
        { record: "proof", do: "read", path: `/p/${at}` },
        { record: "proof", do: "look", agent: `a${at}` },
        { record: "proof", do: "review", type: `t${at}`, pass: true, looked: 1 },
        { record: "proof", do: "approve", name: `n${at}` },
      ];
      for (const change of changes) proof = reduceProof(proof, change, at);
    }
    const sizes = [proof.skills, proof.reads, proof.looks ?? {}, proof.reviews, proof.approvals];
    expect(sizes.map((map) => Object.keys(map).length)).toEqual([
      SKILLS_MAX,
      READS_MAX,
      REVIEWERS_MAX,
      REVIEWS_MAX,
      APPROVALS_MAX,
    ]);
    expect(Object.keys(proof.skills)).toContain("s199");
  });

  it("a change of a newer version changes nothing", () => {
    expect(reduceProof(newProof, { record: "proof", do: "dance" } as never, 1)).toBe(newProof);
  });

  it("names such as constructor are ordinary keys", () => {
    const proof = reduceProof(newProof, { record: "proof", do: "skill", name: "constructor" }, 3);
    expect(Object.entries(proof.skills)).toEqual([["constructor", 3]]);
  });
});
