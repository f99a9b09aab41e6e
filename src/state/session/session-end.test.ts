import { describe, expect, it } from "vitest";
import { newCoverage } from "./coverage.ts";
import { EXAMPLE_PROCESS } from "./example-session.ts";
import { newProof } from "./proof.ts";
import { newSession, reduceSession, type Session } from "./session.ts";

/** Every field is set: a new one does not compile until somebody has said here what the end of a session does to it. */
const busy: Required<Session> = {
  ...newSession(1),
  endedAt: 0,
  client: EXAMPLE_PROCESS,
  castaway: true,
  dropped: "1234",
  witnessedSince: 1,
  headless: true,
  agreed: ["git-no-verify"],
  registration: { "/p/settings.json": ["PreToolUse"] },
  actors: { main: { type: "main", at: 1, event: "Stop" } },
  calls: { c: { tool: "Edit", at: 5, background: false, work: { root: "/p", code: ["a.ts"] } } },
  settled: ["b"],
  verdicts: { pass: 3, ask: 2, deny: 1 },
  tasks: { "write tests": 1 },
  refusals: { "require-verification": 2 },
  stops: { refused: 2, idle: 1, ended: 3 },
  shown: ["notice"],
  pins: [{ by: "7 1", values: { "publish.share": "deny" } }],
  lint: { due: ["eslint"] },
  activity: "implement",
  pressure: { level: "urgent", at: 5 },
  actor: "worker1",
  sent: ["m1"],
  formatted: [{ path: "/p/a.ts", by: "prettier", at: 5 }],
  tools: { total: 1, last: "Edit", counts: { Edit: 1 } },
  modes: { turbo: { since: 0, by: "prompt", task: "go", count: 1, max: 30 } },
  cancelledAt: 5,
  compacted: { at: 5, ended: 1 },
  injectedChars: 40,
  coverage: { ...newCoverage(1), gates: [{ id: "c", at: 5 }], passed: 1 },
  proof: { ...newProof, skills: { review: 5 }, reads: { "/p/a.ts": 5 }, looks: { agent: { at: 5, count: 1 } } },
  refused: [{ kind: "run", what: "git reset --hard", by: "git", policy: "no-x", rid: "r", at: 5 }],
  written: ["/p/x.sh"],
  writtenAt: [5],
  reminded: "turbo 1/30",
  restored: 4,
  restoredAs: "as",
  toldOf: "old",
  work: { "/p": { base: "b", touchedAt: 2, paths: [] } },
  checks: {},
  defined: { "/p": { test: "d" } },
  named: { test: "npm run unit" },
  ground: { at: 1, shell: "", programs: {} },
  growth: { since: 1, trees: {} },
  planAskedAt: 5,
  planSeen: { stamp: "1 2 3 plan.md", digest: "d" },
  transcript: "/t.jsonl",
  heard: { m: 5 },
  awaiting: [{ at: 5, awaits: { prompt: "m" }, change: { record: "session", do: "prompt" } }],
};

const end = (session: Session): Session => reduceSession(session, { record: "session", do: "end" }, 9);

const GONE = [
  "agreed",
  "cancelledAt",
  "compacted",
  "formatted",
  "headless",
  "planAskedAt",
  "pressure",
  "reminded",
  "sent",
  "stops",
] as const;
/** A child of the host can report an end while the session goes on, so these last until another process takes it up. */
const KEPT_FOR_THE_PROCESS = ["lint", "refused", "written", "writtenAt"] as const;
const KEPT = [
  ...KEPT_FOR_THE_PROCESS,
  ...(["actor", "heard", "pins", "registration"] as const),
  ...([
    "startedAt",
    "lastAt",
    "client",
    "castaway",
    "dropped",
    "actors",
    "verdicts",
    "outcomes",
    "tasks",
    "activity",
  ] as const),
  ...([
    "tools",
    "modes",
    "injectedChars",
    "restored",
    "restoredAs",
    "toldOf",
    "checks",
    "defined",
    "named",
    "ground",
    "growth",
    "planSeen",
    "transcript",
    "witnessedSince",
    "awaiting",
  ] as const),
];
const CHANGED = [
  ...(["endedAt", "calls", "settled", "shown", "refusals"] as const),
  ...(["proof", "coverage", "work"] as const),
];

describe("the end of a session", () => {
  it("is about every field there is", () => {
    expect([...GONE, ...KEPT, ...CHANGED].sort()).toEqual(Object.keys(busy).sort());
  });

  it.each(GONE)("forgets %s, which only a running session needs", (field) => {
    expect(end(busy)).not.toHaveProperty(field);
  });

  it.each(KEPT)("keeps %s, for a session that is taken up again", (field) => {
    expect(end(busy)[field]).toEqual(busy[field]);
  });

  it.each(KEPT_FOR_THE_PROCESS)("lasts for %s only until another process takes the session up", (field) => {
    const begin = (client: Session["client"]): Session =>
      reduceSession(end(busy), { record: "session", do: "begin", registration: {}, ...(client && { client }) }, 10);
    expect(begin(EXAMPLE_PROCESS)[field]).toEqual(busy[field]);
    expect(begin({ ...EXAMPLE_PROCESS, pid: EXAMPLE_PROCESS.pid + 1 })).not.toHaveProperty(field);
  });

  it("empties what was under way, and keeps when it ended", () => {
    const { endedAt, calls, settled, shown, refusals } = end(busy);
    expect({ endedAt, calls, settled, shown, refusals }).toEqual({
      ...{ endedAt: 9, calls: {}, settled: [], shown: [], refusals: {} },
    });
  });

  it("keeps the skills that were taken up, not what was read; of the gates only how many there were", () => {
    expect(end(busy).proof).toEqual({ ...newProof, skills: { review: 5 } });
    expect(end(busy).coverage).toMatchObject({ gates: [], passed: 1, since: 5 });
  });

  it("keeps what is owed: an edit that was under way may have changed the tree until now", () => {
    expect(end(busy).work).toMatchObject({ "/p": { base: "b", touchedAt: 9, codeAt: 9, paths: ["a.ts"] } });
  });
});
