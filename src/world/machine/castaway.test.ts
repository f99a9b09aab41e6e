import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { until } from "../../../test/until.ts";
import { processAt } from "./caller.ts";
import { adopterOf } from "./castaway.ts";

/** Where process 1 starts shells for people itself, a detached process cannot be told from those. */
const adopts = process.platform === "linux" && !/sh$|tty|login/.test(readFileSync("/proc/1/comm", "utf8").trim());

describe.runIf(adopts)("a process that lost its parents", () => {
  const file = join(tempDirectory("sekisho-castaway"), "pid");
  let detached = 0;

  beforeAll(async () => {
    spawnSync("setsid", ["-f", "sh", "-c", `echo $$ >"${file}"; exec sleep 600`], { stdio: "ignore" });
    await until(() => {
      detached = Number(read(file));
      return detached > 0;
    }, "the detached process");
  });
  afterAll(() => process.kill(detached));

  it("may come from an agent that was seen before it", () => {
    expect(adopterOf(detached, [earlier()])).toBe(readFileSync("/proc/1/comm", "utf8").trim());
    expect(adopterOf(detached, [])).toBeUndefined();
  });

  it("cannot come from an agent that was seen before the machine was restarted", () => {
    expect(adopterOf(detached, [{ ...earlier(), boot: "0badb007" }])).toBeUndefined();
  });

  it("cannot be compared with a dead process of unknown boot, as 0.1.0 recorded them", () => {
    expect(adopterOf(detached, [{ pid: earlier().pid, started: "1" }])).toBeUndefined();
    const { pid, started } = processAt(process.pid);
    expect(adopterOf(detached, [{ pid, started }])).toBeDefined();
  });
});

/** An agent that has ended. */
const earlier = () => ({ ...processAt(process.pid), started: "1" });

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
