/** A scripted agent works in a scratch project: it slips, misbehaves, and must prove its work. Every decision is real. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openJournal } from "../../store/journal/archive.ts";
import { type AuditEntry, auditView } from "../../views/audit.ts";
import { placesOf } from "../../world/machine/places.ts";
import { host } from "../host.ts";
import { type Here, orFail } from "../project.ts";
import { openScratch, type Scratch } from "./scratch-project.ts";
import { ATTEMPTS, type Attempt, CLAIM, FILES, LAST_SCENE, PROMPT, PROOF, PROVEN } from "./try-script.ts";

/** What happens, in the order in which it happens. `message`: the words of the hook. */
export type Moment =
  | { readonly is: "prompt"; readonly words: string; readonly message: string | undefined }
  | { readonly is: "scene"; readonly words: string }
  /** The agent speaks. */
  | { readonly is: "words"; readonly words: string }
  | { readonly is: "attempt"; readonly tool: Attempt["tool"]; readonly what: string }
  | Ruled
  | Stopped
  | Recorded;

interface Ruled {
  readonly is: "ruled";
  readonly decision: Decision;
  readonly isExpected: boolean;
  readonly ms: number;
  readonly message: string;
}

/** The end of the turn was refused or allowed. */
interface Stopped {
  readonly is: "stopped";
  readonly decision: Decision;
  readonly ms: number;
  readonly message: string | undefined;
}

export interface Recorded {
  readonly is: "recorded";
  readonly entries: readonly AuditEntry[];
  readonly project: string;
  readonly integrity: string;
  readonly records: number;
  /** The agent has destroyed nothing. */
  readonly isKept: boolean;
  /** Everything went as the script says. */
  readonly isAsTold: boolean;
}

type Decision = Attempt["expects"];

export function* playTry(place: Pick<Here, "program" | "language">): Generator<Moment> {
  const stage = openScratch("greeter", FILES, place);
  try {
    yield* play(stage);
  } finally {
    rmSync(stage.scratch, { recursive: true, force: true });
  }
}

function* play(stage: Scratch): Generator<Moment> {
  const { language, send } = stage;
  send("SessionStart", { source: "startup" });
  const { stdout } = send("UserPromptSubmit", { prompt: PROMPT[language] });
  yield { is: "prompt", words: PROMPT[language], message: answerIn(stdout).systemMessage };
  let isAsTold = true;
  for (const [at, attempt] of ATTEMPTS.entries())
    isAsTold = (yield* attemptIt(attempt, `try-${at}`, stage)) === attempt.expects && isAsTold;
  yield { is: "scene", words: LAST_SCENE[language] };
  const wasHeld = (yield* endTurn(CLAIM[language], stage)) === "refused";
  const wasProven = (yield* attemptIt(PROOF, "try-proof", stage)) === PROOF.expects;
  const wentOn = (yield* endTurn(PROVEN[language], stage)) === "allowed";
  send("SessionEnd", { reason: "other" });
  yield recordOf(stage, isAsTold && wasHeld && wasProven && wentOn);
}

function* endTurn(words: string, { send }: Scratch): Generator<Moment, Decision> {
  yield { is: "words", words };
  const { stdout, ms } = send("Stop", {
    stop_hook_active: false,
    last_assistant_message: words,
    background_tasks: [],
    session_crons: [],
  });
  const { decision, reason, systemMessage } = answerIn(stdout);
  const isHeld = decision === "block";
  const ended = isHeld ? "refused" : "allowed";
  yield { is: "stopped", decision: ended, ms, message: isHeld ? reason : systemMessage };
  return ended;
}

/** Reads the answer like the host: a refusal goes to the agent, a message to the person. */
function answerIn(stdout: string): Readonly<Record<string, string>> {
  return JSON.parse(stdout || "{}") as Readonly<Record<string, string>>;
}

/** Sends one attempt, executes it if allowed, and reports the outcome like the host. */
function* attemptIt(
  { scene, says, tool, input, expects }: Attempt,
  call: string,
  stage: Scratch,
): Generator<Moment, Decision> {
  const { language, send } = stage;
  const fields = { tool_name: tool, tool_input: input(stage), tool_use_id: call };
  if (scene) yield { is: "scene", words: scene[language] };
  yield { is: "words", words: says[language] };
  yield { is: "attempt", tool, what: describe(tool, fields.tool_input, stage) };
  const { code, stderr, ms } = send("PreToolUse", fields, tool === "Read" ? "harmless" : undefined);
  const decision = code === 2 ? "refused" : "allowed";
  const worked = decision === "allowed" && carryOut(tool, fields.tool_input, stage);
  yield { is: "ruled", decision, isExpected: decision === expects, ms, message: decision === "refused" ? stderr : "" };
  if (decision === "refused") send("PostToolBatch", { tool_calls: [{ ...fields, tool_response: stderr }] });
  else if (worked) send("PostToolUse", { ...fields, tool_response: {}, duration_ms: 1 });
  else send("PostToolUseFailure", { ...fields, error: "Exit code 1", is_interrupt: false });
  return decision;
}

function describe(tool: Attempt["tool"], input: Readonly<Record<string, unknown>>, { project }: Scratch): string {
  if (tool === "Bash") return String(input["command"]);
  const path = String(input["file_path"]).replace(`${project}/`, "");
  return tool === "Edit" ? `${path}: ${String(input["old_string"])} → ${String(input["new_string"])}` : path;
}

function carryOut(tool: Attempt["tool"], input: Readonly<Record<string, unknown>>, { project, env }: Scratch): boolean {
  const path = String(input["file_path"]);
  if (tool === "Edit") {
    writeFileSync(path, readFileSync(path, "utf8").replace(String(input["old_string"]), String(input["new_string"])));
  }
  if (tool === "Write") writeFileSync(path, String(input["content"]));
  return tool !== "Bash" || spawnSync("sh", ["-c", String(input["command"])], { cwd: project, env }).status === 0;
}

function recordOf({ project, env }: Scratch, wentAsTold: boolean): Recorded {
  const store = openJournal({ directory: placesOf(host.layout, env, project, []).journal });
  const { integrity, records } = orFail(store.verify());
  const isKept = existsSync(join(project, "greet.js"));
  const entries = auditView(store.records(), {});
  return { is: "recorded", entries, project, integrity, records, isKept, isAsTold: wentAsTold && isKept };
}
