import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { freshenPin, readPin, writePin } from "./pin.ts";

const DAY_MS = 86_400_000;
const NOW = Date.now();
const PIN = { project: "/home/dev/project", env: {} };

/** Files of earlier sessions, of this age. */
function earlier(directory: string, count: number, days: number): void {
  mkdirSync(directory, { recursive: true });
  for (let at = 0; at < count; at++) {
    const path = join(directory, `${days}-days-${at}`);
    writeFileSync(path, JSON.stringify(PIN));
    utimesSync(path, (NOW - days * DAY_MS) / 1000, (NOW - days * DAY_MS) / 1000);
  }
}

/** New sessions begin until nothing more is removed by them. */
function begin(directory: string, times: number): void {
  for (let at = 0; at < times; at++) writePin(directory, `new-${at}`, PIN, NOW);
}

it("removes the files of sessions that nobody continued for a month", () => {
  const directory = join(tempDirectory("pin"), "sessions");
  earlier(directory, 3, 31);
  earlier(directory, 3, 29);
  begin(directory, 1);
  expect(readdirSync(directory).filter((name) => name.startsWith("31"))).toEqual([]);
  expect(readdirSync(directory)).toHaveLength(4);
});

it("removes them after a week when there are many, however many there are", () => {
  const directory = join(tempDirectory("pin"), "sessions");
  earlier(directory, 700, 8);
  earlier(directory, 50, 6);
  begin(directory, 60);
  const left = readdirSync(directory);
  expect(left.length).toBeLessThanOrEqual(501);
  expect(left.filter((name) => name.startsWith("6-days"))).toHaveLength(50);
});

it("keeps a session to which a person spoke a day ago or later", () => {
  const directory = join(tempDirectory("pin"), "sessions");
  earlier(directory, 1, 40);
  freshenPin(directory, "40-days-0", NOW);
  begin(directory, 1);
  expect(readPin(directory, "40-days-0")).toEqual(PIN);
  freshenPin(directory, "none", NOW);
  expect(existsSync(join(directory, "none"))).toBe(false);
});
