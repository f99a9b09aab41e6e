/** Rounds of waking with a clock of the test's own: what is kept, in which order, and that it ends. */
import { describe, expect, it } from "vitest";
import { foldPart, type PartRecord } from "../../state/part.ts";
import { boundSession } from "../../state/session/example-session.ts";
import { type Wakes, wakes as wakesPart } from "../../state/wakes/part.ts";
import type { WakeWay } from "../../state/wakes/record.ts";
import { isWakeText } from "../../state/wakes/text.ts";
import type { Due } from "./due.ts";
import { type Waker, wakeRound } from "./round.ts";

const HOUR_MS = 3_600_000;
const waiting = {
  count: 1,
  lines: ["lead: hello"],
  messages: 1,
  tasks: 0,
  owed: 0,
  spent: { count: 0, upto: 0, lines: [] },
};

interface Agent {
  readonly actor: string;
  is: "idle" | "busy" | "gone";
  way: WakeWay;
  lastAt: number;
  upto: number;
  /** Whether an event comes when something is typed. */
  answers: boolean;
  clear?: true;
  /** Why nothing can be typed. */
  held?: string;
}

/** Agents with something to read, and a person's clock that jumps to the next call. */
function team(...names: readonly string[]) {
  const log: string[] = [];
  const kept: Parameters<Waker["keep"]>[0][] = [];
  const records: PartRecord[] = [];
  const agents = new Map(
    names.map((actor): [string, Agent] => [
      actor,
      { actor, is: "idle", way: "tmux", lastAt: 0, upto: 1, answers: true },
    ]),
  );
  let [now, next, token] = [HOUR_MS, Number.POSITIVE_INFINITY, 0];
  const dueOf = ({ actor, lastAt, upto }: Agent): Due => ({
    ...{ actor, id: `s-${actor}`, upto, waiting, ...(agents.get(actor)?.clear && { clear: upto }) },
    session: { ...boundSession({ actor }), lastAt },
  });
  const agentOf = ({ actor }: Due): Agent => agents.get(actor) as Agent;
  const waker: Waker = {
    now: () => now,
    look: () => ({ due: [...agents.values()].map(dueOf), wakes: foldPart(wakesPart, records) as Wakes }),
    standingOf: (due) => agentOf(due).is,
    wayTo: (due) => agentOf(due).way,
    async prepare(due) {
      const agent = agentOf(due);
      if (agent.held !== undefined) return agent.held;
      return async (text) => {
        log.push(`${due.actor} at ${now - HOUR_MS}: ${isWakeText(text) || text} ${text.includes("hello")}`);
        if (agent.answers) agent.lastAt = now + 100;
        return undefined;
      };
    },
    keep(record) {
      // The journal is watched, so every record calls for a round.
      next = Math.min(next, now);
      kept.push(record);
      records.push({ ...record, rid: `r${records.length}`, t: now });
      if (record.kind === "wake") log.push(`${record.actor} ${record.do}`);
      else log.push(record.kind === "mail" ? `${record.box} ${record.do}` : `to ${record.to}: ${record.subject}`);
    },
    newToken: () => String(++token).padStart(16, "0"),
    later(ms) {
      next = Math.min(next, now + ms);
    },
    tell: () => undefined,
    isReachable: (actor) => agents.get(actor)?.is !== "gone" && agents.has(actor),
    roles: { preset: "lead", own: [] },
    everyMs: 60_000,
    clearCommand: "/clear",
  };
  /** Rounds until nobody calls for another, or until so many. */
  const run = async (most = 500): Promise<number> => {
    for (let rounds = 0; rounds < most; rounds++) {
      next = Number.POSITIVE_INFINITY;
      await wakeRound(waker);
      if (next === Number.POSITIVE_INFINITY) return rounds;
      now = Math.max(now, next);
    }
    throw new Error("It goes on without end.");
  };
  return { log, kept, agents, run, at: (actor: string) => agents.get(actor) as Agent };
}

describe("a round of waking", () => {
  it("keeps the token before it types, and nothing of a message is typed", async () => {
    const { log, run, kept } = team("worker1");
    await run(3).catch(() => undefined);
    expect(log.slice(0, 3)).toEqual(["worker1 try", "worker1 at 0: true false", "worker1 woken"]);
    expect(kept[0]).toMatchObject({ token: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(JSON.stringify(kept)).not.toContain("0000000000000001");
  });

  it("an agent that never answers is tried three times, 10 seconds apart, and its supervisor is told once", async () => {
    const { log, run, at } = team("lead", "worker1");
    at("lead").is = "busy";
    at("worker1").answers = false;
    await run();
    expect(log).toEqual([
      "worker1 try",
      "worker1 at 0: true false",
      "worker1 try",
      "worker1 at 10000: true false",
      "worker1 try",
      "worker1 at 20000: true false",
      "worker1 fail",
      "to lead: worker1 could not be woken: no event of its session came after 3 tries",
    ]);
  });

  it("an agent that answers and reads nothing is woken three times in all", async () => {
    const { log, run } = team("worker1");
    await run();
    expect(log.filter((line) => line.includes(" at "))).toEqual([
      "worker1 at 0: true false",
      "worker1 at 60000: true false",
      "worker1 at 120000: true false",
    ]);
    expect(log.at(-1)).toBe("to person: worker1 could not be woken: it was woken 3 times and has not read them");
  });

  it("IN-3 two agents are woken two seconds apart", async () => {
    const { log, run, at } = team("worker1", "worker2");
    await run(6).catch(() => undefined);
    expect(log.filter((line) => line.includes(" at ")).slice(0, 2)).toEqual([
      "worker1 at 0: true false",
      "worker2 at 2000: true false",
    ]);
    expect(at("worker2").lastAt).toBeGreaterThan(0);
  });

  it("a pane that a person uses is left alone, and nothing is typed into it", async () => {
    const { log, run, at } = team("worker1");
    at("worker1").held = "a person reads back in its pane";
    await run();
    expect(log).toEqual([
      ...["worker1 left", "worker1 left", "worker1 left", "worker1 fail"],
      "to person: worker1 could not be woken: a person reads back in its pane",
    ]);
  });

  it("two that supervise each other and are gone don't tell each other without end", async () => {
    const { log, run, at } = team("lead", "worker1");
    at("lead").is = "gone";
    at("worker1").is = "gone";
    await run();
    expect(log.filter((line) => line.startsWith("to "))).toEqual([
      "to person: lead could not be woken: its process has ended",
      "to person: worker1 could not be woken: its process has ended",
    ]);
    at("worker1").upto = 2;
    await run();
    expect(log.filter((line) => line.startsWith("to "))).toHaveLength(2);
    expect(log.at(-1)).toBe("worker1 fail");
  });

  it("the bell rings once for the same messages", async () => {
    const { log, run, at } = team("worker1");
    at("worker1").way = "bell";
    at("worker1").answers = false;
    await run();
    expect(log).toEqual(["worker1 try", "worker1 at 0: true false"]);
  });

  it("IN-61 IN-62 a conversation is cleared where a message asks for it, and then left alone for a while", async () => {
    const { log, run, at } = team("worker1");
    at("worker1").clear = true;
    at("worker1").answers = false;
    await run();
    expect(log.slice(0, 5)).toEqual([
      ...["worker1 try", "worker1 at 0: /clear false", "worker1 read"],
      ...["worker1 try", "worker1 at 30000: true false"],
    ]);
    expect(log.filter((line) => line.includes("/clear"))).toHaveLength(1);
  });
});
