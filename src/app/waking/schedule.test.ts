import { describe, expect, it } from "vitest";
import { until } from "../../../test/until.ts";
import { scheduleOf } from "./schedule.ts";

const HOUR_MS = 3_600_000;
const fail = (problem: unknown): never => {
  throw problem;
};

describe("calls for rounds", () => {
  it("the earliest counts, and many are one round", async () => {
    let count = 0;
    const schedule = scheduleOf(async () => {
      count += 1;
    }, fail);
    for (const ms of [HOUR_MS, 5, 0, 1, HOUR_MS]) schedule.later(ms);
    await until(() => count === 1, "a round");
    await schedule.end();
    expect(count).toBe(1);
  });

  it("a call that comes while a round runs is a round after it, never beside it", async () => {
    const log: string[] = [];
    let go = (): void => undefined;
    const schedule = scheduleOf(async () => {
      log.push("begin");
      await new Promise<void>((done) => {
        go = done;
      });
      log.push("end");
    }, fail);
    schedule.later(0);
    await until(() => log.length === 1, "the first round");
    schedule.later(0);
    expect(log).toEqual(["begin"]);
    go();
    await until(() => log.length === 3, "the second round");
    expect(log).toEqual(["begin", "end", "begin"]);
    const ended = schedule.end().then(() => log.push("over"));
    schedule.later(0);
    go();
    await ended;
    expect(log).toEqual(["begin", "end", "begin", "end", "over"]);
  });

  it("a round that fails is reported", async () => {
    const problems: unknown[] = [];
    const schedule = scheduleOf(
      () => Promise.reject(new Error("x")),
      (problem) => void problems.push(problem),
    );
    schedule.later(0);
    await until(() => problems.length === 1, "the problem");
    await schedule.end();
  });
});
