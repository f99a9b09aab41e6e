import { expect, it } from "vitest";
import { defaultSettings } from "../../state/settings.ts";
import { describePolicy, ordinaryFacts, PROJECT, verdictOf } from "../describe-policy.ts";
import { using } from "../example.ts";
import { runFormatter } from "./run-formatter.ts";

describePolicy(runFormatter);

const settings = { ...defaultSettings, format: { enabled: true, commands: [] } };
const written = (name: string, more: object = {}) => {
  const tool = { kind: "write", name: "Write", path: `${PROJECT}/${name}`, content: "x" } as const;
  return { ...using(tool, "PostToolUse"), failed: false, ...more };
};

it("MD-82 a written file is named, once a person has switched it on", () => {
  expect(verdictOf(runFormatter, written("a.ts"), { settings }).format).toBe(`${PROJECT}/a.ts`);
  expect(verdictOf(runFormatter, written("a.ts")).format).toBeUndefined();
});

it.each(["a.min.js", "a.min.css", "a.js.map"])("MD-82 what is made by a program is left alone: %s", (name) => {
  expect(verdictOf(runFormatter, written(name), { settings }).format).toBeUndefined();
});

it("a write that failed names nothing, and neither does a stranger's event", () => {
  expect(verdictOf(runFormatter, written("a.ts", { failed: true }), { settings }).format).toBeUndefined();
  const caller = { ...ordinaryFacts.caller, client: { pid: 8, started: "1" }, isHost: false };
  const verdict = verdictOf(runFormatter, written("a.ts"), { settings, caller });
  expect(verdict).toMatchObject({ unbound: true });
  expect(verdict.format).toBeUndefined();
});
