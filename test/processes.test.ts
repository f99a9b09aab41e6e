/** A test's directory is removed when nobody writes into it any more. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { processesWith, untilAllEnded } from "./processes.ts";
import { tempDirectory } from "./temp.ts";
import { until } from "./until.ts";

it.skipIf(!existsSync("/proc/self/environ"))("waits for a process whose parent is gone", async () => {
  const directory = tempDirectory("left");
  const [begun, ended, goOn] = ["begun", "ended", "go-on"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const orphan = `echo $$ > ${begun}; while [ ! -e ${goOn} ]; do sleep 0.05; done; echo done > ${ended}`;
  spawn("sh", ["-c", `(exec sh -c '${orphan}') & exit 0`], {
    env: { ...process.env, MARK: directory },
    detached: true,
  });
  await until(() => existsSync(begun), "the process");
  expect(processesWith(directory).map(({ pid }) => pid)).toContain(Number(readFileSync(begun, "utf8")));
  let isOver = false;
  const waiting = untilAllEnded(directory).then(() => {
    isOver = true;
  });
  await until(() => processesWith(directory).length > 0, "a look");
  expect(isOver).toBe(false);
  spawn("touch", [goOn]);
  await waiting;
  expect(readFileSync(ended, "utf8")).toBe("done\n");
});
