/** Shared by the tests of trust: sends real payloads of the host through the hooks and reads the ledger back. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { EventName } from "../../src/kernel/event.ts";
import { newTrust, type Trust } from "../../src/state/trust.ts";
import { openJournal } from "../../src/store/journal/archive.ts";
import { domainScore, type TrustScores } from "../../src/views/trust-scores.ts";
import { forPeople } from "./machine.ts";
import { openStage, type Stage } from "./stage.ts";

const PAYLOADS = join(import.meta.dirname, "..", "payloads");

/** Sends a recorded payload with this stage's session and paths. */
function replay(stage: Stage, event: EventName, file: string, fields: object): void {
  const recorded = JSON.parse(readFileSync(join(PAYLOADS, `${event}.${file}.json`), "utf8")) as object;
  const here = { session_id: "s1", cwd: stage.project, transcript_path: join(stage.home, "none.jsonl") };
  expect(stage.send(event, { ...recorded, ...here, ...fields })).toMatchObject({ code: 0 });
}

let calls = 0;

/** `s` is a success, `f` a failure; each goes through the gate and then ends. */
export function work(stage: Stage, outcomes: string, tool: "Read" | "Bash" = "Bash"): void {
  const input = tool === "Read" ? { file_path: join(stage.project, "hello.txt") } : { command: "make" };
  for (const outcome of outcomes) {
    const fields = { tool_input: input, tool_use_id: `toolu_${++calls}` };
    replay(stage, "PreToolUse", tool, fields);
    replay(stage, outcome === "s" ? "PostToolUse" : "PostToolUseFailure", tool, fields);
  }
}

export function begin(): Stage {
  const stage = openStage();
  stage.send("SessionStart", { source: "startup" });
  return stage;
}

/** Imports a state that no payload leads to, as a person would. Below an agent's process the import is not possible. */
export function given(stage: Stage, domains: Readonly<Record<string, Partial<Trust>>>): void {
  const whole = Object.entries(domains).map(([name, trust]) => [name, { ...newTrust(0.3, Date.now()), ...trust }]);
  const all = Object.fromEntries(whole) as Readonly<Record<string, Trust>>;
  if (forPeople.skip) {
    keep(stage, all);
    return;
  }
  const scores = Object.entries(all).map(([name, trust]) => [name, domainScore(trust)]);
  const file = { version: "2", updated_at: new Date().toISOString(), global_operation_count: 0 };
  stage.write("trust-scores.json", JSON.stringify({ ...file, domains: Object.fromEntries(scores) }));
  expect(stage.sekisho("import", "trust-scores.json")).toMatchObject({ code: 0, stderr: "" });
}

/** Writes the same record without the command. */
function keep(stage: Stage, domains: Readonly<Record<string, Trust>>): void {
  const store = openJournal({ directory: stage.journal() });
  const change = { record: "trust", do: "import", first: true, operations: 0, domains };
  const record = { kind: "action", action: "import", changes: [change] } as Parameters<typeof store.append>[0];
  expect(store.append(record, Date.now())).not.toHaveProperty("fault");
  store.close();
}

export function json<T>(stage: Stage, ...words: readonly string[]): T {
  const { code, stdout, stderr } = stage.sekisho(...words, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as T;
}

export const ledgerOf = (stage: Stage) => json<TrustScores>(stage, "trust");

interface Curve {
  readonly score: number;
  readonly points: readonly { readonly score: number; readonly outcome: string; readonly note: string }[];
}

export const curveOf = (stage: Stage, domain: string, ...words: readonly string[]) =>
  json<Curve & { readonly what_if: Curve & { readonly difference: number } }>(
    stage,
    "trust",
    "history",
    domain,
    ...words,
  );

export const scores = ({ points }: Curve) => points.map(({ score }) => score);
