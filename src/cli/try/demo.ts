import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { host } from "../../app/host.ts";
import { orFail, programFiles } from "../../app/project.ts";
import { newTrustLedger, recordOutcome, type TrustLedger } from "../../state/trust.ts";
import { openJournal } from "../../store/journal/archive.ts";
import { demoScenarios, type Scenario } from "../../views/demo-scenarios.ts";
import { placesOf } from "../../world/machine/places.ts";
import { defineCommand } from "../command.ts";
import { paint, say, sayWords, table } from "../print.ts";
import { FILES, PAST, SAMPLES, type Sample } from "./demo-script.ts";
import { openScratch, type Scratch } from "./scratch-project.ts";

export const demo = defineCommand({
  name: "demo",
  summary: "Shows how trust is earned, lost and won back: the screens with a sample, and four stories in steps.",
  options: {},
  run() {
    const stage = openScratch("demo", FILES);
    try {
      sayWords("A sample in a scratch project: nothing of yours is read or written. The screens and numbers are real.");
      rememberPast(stage);
      stage.send("SessionStart", { source: "startup" });
      SAMPLES.forEach((sample, at) => void attempt(sample, `demo-${at}`, stage));
      for (const words of SCREENS) showScreen(words, stage);
    } finally {
      rmSync(stage.scratch, { recursive: true, force: true });
    }
    for (const scenario of demoScenarios()) printScenario(scenario);
    return 0;
  },
});

const SCREENS = [
  ["status"],
  ["status", "file_read"],
  ["audit", "--tail", String(SAMPLES.length)],
  ["config"],
  ["stance"],
] as const;

const HOUR_MS = 3_600_000;

/** Imports a ledger like a person would: outcomes one hour apart, the last one an hour ago. */
function rememberPast({ env, project }: Scratch): void {
  const now = Date.now();
  const { domains, operations } = Object.entries(PAST).reduce((ledger: TrustLedger, [domain, runs]) => {
    const outcomes = runs.flatMap(([outcome, times]) => Array.from({ length: times }, () => outcome));
    return outcomes.reduce(
      (next, outcome, at) => recordOutcome(next, domain, outcome, now - (outcomes.length - at) * HOUR_MS),
      ledger,
    );
  }, newTrustLedger);
  const store = openJournal({ directory: placesOf(host.layout, env, project, []).journal });
  const change = { record: "trust", do: "import", first: true, operations, domains } as const;
  orFail(store.append({ kind: "action", action: "import", detail: "the sample of the demo", changes: [change] }, now));
  store.close();
}

/** Sends the events for the attempt and, if allowed, reports it as done. Nothing is executed. */
function attempt({ tool, input, ends }: Sample, call: string, { project, send }: Scratch): void {
  const path = input["file_path"];
  const placed = path === undefined ? input : { ...input, file_path: join(project, path) };
  const fields = { tool_name: tool, tool_input: placed, tool_use_id: call };
  const { code } = send("PreToolUse", fields, tool === "Read" ? "harmless" : undefined);
  if (code === 2) return;
  if (ends === "success") send("PostToolUse", { ...fields, tool_response: {}, duration_ms: 1 });
  else send("PostToolUseFailure", { ...fields, error: "Exit code 2", is_interrupt: false });
}

/** Runs the real command on the same terminal. */
function showScreen(words: readonly string[], { env, project }: Scratch): void {
  say(`\n${paint.bold(`$ sekisho ${words.join(" ")}`)}`);
  const { TERM, NO_COLOR, FORCE_COLOR } = process.env;
  const { node, bundle } = programFiles();
  spawnSync(node, [bundle, ...words], {
    cwd: project,
    env: { ...env, TERM, NO_COLOR, FORCE_COLOR },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

function printScenario({ title, head, rows, note }: Scenario): void {
  say(`\n${paint.bold(title)}`);
  say(table([head.map((cell) => paint.dim(cell)), ...rows], "  "));
  sayWords(note);
}
