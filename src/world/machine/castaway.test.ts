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

/** Each runs the rest of the line, and remains as the topmost process. */
const RUNNERS: readonly (readonly [string, ...string[]])[] = [
  ["sh", "-c", '"$@"; :', "sh"],
  ["find", "/", "-maxdepth", "0", "-exec"],
  ["xargs", "-a", "/dev/null"],
  ["python3", "-c", "import subprocess, sys; subprocess.run(sys.argv[1:])"],
  ["flock", "/dev/null"],
];

describe.runIf(adopts).each(RUNNERS)("a process that lost its parents below %s", (...words) => {
  const file = join(tempDirectory("sekisho-castaway"), "pid");
  let detached = 0;

  beforeAll(async () => {
    const line = [...words, "sh", "-c", `echo $$ >"${file}"; exec sleep 600`, ...(words[0] === "find" ? [";"] : [])];
    spawnSync("setsid", ["-f", ...line], { stdio: "ignore" });
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
