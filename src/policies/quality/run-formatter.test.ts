import { expect, it } from "vitest";
import { defaultSettings } from "../../state/settings/settings.ts";
import { ordinaryFacts, PROJECT, verdictOf } from "../describe-policy.ts";
import { using } from "../example.ts";
import { runFormatter } from "./run-formatter.ts";

const settings = { ...defaultSettings, format: { enabled: true, commands: [] } };
const written = (name: string, more: object = {}) => {
  const tool = { kind: "write", name: "Write", path: `${PROJECT}/${name}`, content: "x" } as const;
  return { ...using(tool, "PostToolUse"), failed: false, ...more };
};

it("MD-82 a written file is formatted only when a person has switched it on", () => {
  expect(verdictOf(runFormatter, written("a.ts"), { settings }).jobs).toEqual([
    { job: "format", path: `${PROJECT}/a.ts` },
  ]);
  expect(verdictOf(runFormatter, written("a.ts")).jobs).toBeUndefined();
});

it.each(["a.min.js", "a.min.css", "a.js.map"])("MD-82 a generated file is not formatted: %s", (name) => {
  expect(verdictOf(runFormatter, written(name), { settings }).jobs).toBeUndefined();
});

it("a failed write and an event from another process format nothing", () => {
  expect(verdictOf(runFormatter, written("a.ts", { failed: true }), { settings }).jobs).toBeUndefined();
  const caller = { ...ordinaryFacts.caller, process: { pid: 8, started: "1" }, isHost: false };
  const verdict = verdictOf(runFormatter, written("a.ts"), { settings, caller });
  expect(verdict).toMatchObject({ unbound: true });
  expect(verdict.jobs).toBeUndefined();
});
