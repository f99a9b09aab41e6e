import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDirectory } from "../../../test/temp.ts";
import { processAt } from "../../world/machine/caller.ts";
import { peersOf } from "./registry.ts";

it("the registry names running sessions only, and an unreadable entry is none", () => {
  const home = tempDirectory("registry");
  const directory = join(home, ".claude", "sessions");
  const peers = (env = {}) => peersOf({ env, places: { home } });
  expect(peers()).toEqual([]);
  mkdirSync(directory, { recursive: true });
  const { pid, started } = processAt(process.pid);
  const entry = { pid, procStart: started, sessionId: "s1", name: "alice", cwd: "/p", status: "idle" };
  const files = {
    "1.json": entry,
    "2.json": { ...entry, sessionId: "s2", name: "bob", status: "busy" },
    // Another process has the number now.
    "3.json": { ...entry, sessionId: "s3", procStart: "1" },
    "4.json": { ...entry, sessionId: "s4", pid: 999_999_999, procStart: undefined },
    "5.json": { ...entry, name: 7 },
    "6.json": null,
    "notes.json": { ...entry, sessionId: "s6" },
  };
  for (const [name, value] of Object.entries(files)) writeFileSync(join(directory, name), JSON.stringify(value));
  writeFileSync(join(directory, "7.json"), '{"pid": 1, "sess');
  mkdirSync(join(directory, "8.json"));
  expect(peers()).toEqual([
    { session: "s1", name: "alice", cwd: "/p", isIdle: true },
    { session: "s2", name: "bob", cwd: "/p", isIdle: false },
  ]);
  expect(peers({ CLAUDE_CONFIG_DIR: join(home, "other") })).toEqual([]);
});
