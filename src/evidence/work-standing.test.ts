import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProof } from "../state/session/proof.ts";
import { newSession, type Session } from "../state/session/session.ts";
import type { Need } from "../state/settings/evidence-rules.ts";
import { PRELOADED, proofStanding } from "./proof-standing.ts";
import { standingIn } from "./work-standing.ts";

const ROOT = "/p";
const result = {
  check: "test",
  root: ROOT,
  outcome: "passed",
  command: "npm test",
  startedAt: 1,
  endedAt: 5,
  tree: "t",
  files: "f",
} as const;

const need = (evidence: Need["evidence"], of: string): Need => ({ evidence, of, freshness: "session" });
const session = (more: Partial<Session>): Session => ({ ...newSession(0), ...more });

describe("evidence from the work of a session", () => {
  it("a check counts by its last whole run, or by its standing if that was computed", () => {
    const passed = session({ checks: { "test /p": { whole: result } } });
    expect(standingIn(passed, undefined, { root: ROOT })(need("command", "test"))).toEqual({ met: true, at: 5 });
    expect(standingIn(passed, undefined, { root: ROOT })(need("command", "lint")).met).toBe(false);
    expect(standingIn(passed, undefined, { root: ROOT })(need("command", "deploy")).met).toBe(false);
    const stale = standingIn(passed, undefined, { root: ROOT, checks: [{ check: "test", standing: "stale" }] });
    expect(stale(need("command", "test"))).toEqual({ met: false, why: "stale" });
    const failed = session({ checks: { "test /p": { whole: { ...result, outcome: "failed" } } } });
    expect(standingIn(failed, undefined, { root: ROOT })(need("command", "test"))).toEqual({
      met: false,
      why: "failed",
    });
  });

  it("a partial run does not count", () => {
    const part = session({ checks: { "test /p": { other: { ...result, outcome: "partial" } } } });
    expect(standingIn(part, undefined, { root: ROOT })(need("command", "test")).met).toBe(false);
  });

  it("a change counts by the written files", () => {
    const wrote = standingIn(session({ written: ["/p/docs/CHANGELOG.md"] }), undefined, { root: ROOT });
    expect(wrote(need("change", "CHANGELOG.md")).met).toBe(true);
    expect(wrote(need("change", "docs/**")).met).toBe(true);
    expect(wrote(need("change", "src/**")).met).toBe(false);
  });

  it("a marker counts in the agent's last message, in the exact form", () => {
    const said = (lastMessage: string) =>
      standingIn(session({}), undefined, { root: ROOT, lastMessage })(need("marker", "QA COMPLETE")).met;
    expect(said("Done.\n<promise>qa  complete</promise>")).toBe(true);
    expect(said("QA COMPLETE")).toBe(false);
    expect(said("<promise>other</promise>")).toBe(false);
    expect(said("")).toBe(false);
  });

  it("a review of other files does not count", () => {
    const reviews = { reviewer: { at: 3, pass: true, looked: 2, files: "f" } };
    const seen = session({ proof: { ...newProof, reviews } });
    const at = (files: string) => standingIn(seen, undefined, { root: ROOT, files })(need("verdict", "reviewer"));
    expect(at("f").met).toBe(true);
    expect(at("g")).toEqual({ met: false, why: "stale" });
  });
});

describe("GT-56 preloaded skills of an agent", () => {
  const AGENTS = join(import.meta.dirname, "..", "..", "plugin", "agents");

  it.each(Object.entries(PRELOADED))("%s has the skills listed in its file", (type, skills) => {
    const text = readFileSync(join(AGENTS, `${type.replace("sekisho:", "")}.md`), "utf8");
    const said = [...(text.split("---")[1]?.matchAll(/^ {2}- sekisho:(\S+)$/gm) ?? [])].map(([, name]) => name);
    expect(said).toEqual(skills);
  });

  it("count for that agent only", () => {
    const of = (type: string) => proofStanding(session({}), { id: "a", type })(need("skill", "code-quality-rules")).met;
    expect(of("sekisho:implementer")).toBe(true);
    expect(of("implementer")).toBe(false);
    expect(of("other:implementer")).toBe(false);
    expect(proofStanding(session({}), undefined)(need("skill", "code-quality-rules")).met).toBe(false);
  });
});
