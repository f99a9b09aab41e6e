/** A sample of some days of work in a scratch project, and the screens that show it. Nothing is executed. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { newTrustLedger, recordOutcome, type TrustLedger } from "../../state/trust.ts";
import { openJournal } from "../../store/journal/archive.ts";
import { placesOf } from "../../world/machine/places.ts";
import { host } from "../host.ts";
import { type Here, orFail } from "../project.ts";
import { FILES, PAST, SAMPLES, type Sample } from "./demo-script.ts";
import { openScratch, type Scratch } from "./scratch-project.ts";

export interface Screen {
  /** The words of the command. */
  readonly words: readonly string[];
  /** Runs the real command with the output of this process. */
  show(): void;
}

const SCREENS = [
  ["status"],
  ["status", "file_read"],
  ["audit", "--tail", String(SAMPLES.length)],
  ["config"],
  ["stance"],
] as const;

/** The scratch project is gone after the last screen. */
export function* demoScreens(place: Pick<Here, "program" | "language">): Generator<Screen> {
  const stage = openScratch("demo", FILES, place);
  try {
    rememberPast(stage);
    stage.send("SessionStart", { source: "startup" });
    for (const [at, sample] of SAMPLES.entries()) attempt(sample, `demo-${at}`, stage);
    for (const words of SCREENS) yield { words, show: () => runHere(place, words, stage) };
  } finally {
    rmSync(stage.scratch, { recursive: true, force: true });
  }
}

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

/** Sends the events for the attempt and, if allowed, reports it as done. */
function attempt({ tool, input, ends }: Sample, call: string, { project, send }: Scratch): void {
  const path = input["file_path"];
  const placed = path === undefined ? input : { ...input, file_path: join(project, path) };
  const fields = { tool_name: tool, tool_input: placed, tool_use_id: call };
  const { code } = send("PreToolUse", fields, tool === "Read" ? "harmless" : undefined);
  if (code === 2) return;
  if (ends === "success") send("PostToolUse", { ...fields, tool_response: {}, duration_ms: 1 });
  else send("PostToolUseFailure", { ...fields, error: "Exit code 2", is_interrupt: false });
}

function runHere({ program }: Pick<Here, "program">, words: readonly string[], { env, project }: Scratch): void {
  const { TERM, NO_COLOR, FORCE_COLOR } = process.env;
  spawnSync(program.node, [program.bundle, ...words], {
    cwd: project,
    env: { ...env, TERM, NO_COLOR, FORCE_COLOR },
    stdio: ["ignore", "inherit", "inherit"],
  });
}
