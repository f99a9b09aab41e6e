import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { host } from "../../app/host.ts";
import { orFail } from "../../app/project.ts";
import { openJournal } from "../../store/journal/archive.ts";
import { auditView, subject } from "../../views/audit.ts";
import { placesOf } from "../../world/machine/places.ts";
import { defineCommand } from "../command.ts";
import { paint, paintDecision, say, sayWords, table, terminalColumns, wrap } from "../print.ts";
import { openScratch, type Scratch } from "./scratch-project.ts";
import { ATTEMPTS, type Attempt, CLAIM, FILES, PROMPT, PROOF, PROVEN } from "./try-script.ts";

export const tryIt = defineCommand({
  name: "try",
  summary:
    "Watch a scripted agent work, slip, misbehave, and be sent on until its work is proven. No account, nothing left behind.",
  options: {},
  run() {
    const stage = openScratch("greeter", FILES);
    try {
      return play(stage);
    } finally {
      rmSync(stage.scratch, { recursive: true, force: true });
    }
  },
});

function play(stage: Scratch): number {
  const { language, send } = stage;
  const ja = language === "ja";
  say(paint.bold(ja ? "関所 — エージェントのための検問所" : "Sekisho — a checkpoint for coding agents"));
  say(
    wrap(
      ja
        ? "コーディングエージェントは、何かをする前に必ず「フック」と呼ばれる小さなプログラムに尋ねます。関所はそのフックです。ここでは台本どおりのエージェントが、使い捨てのプロジェクトで働きます。判断はすべて本物です。"
        : "Before a coding agent like Claude Code does anything, it asks a small program, a hook, whether it may. Sekisho is that hook. Below, a scripted agent works in a throw-away project; every decision is made by the real checkpoint.",
      terminalColumns(),
    ),
  );
  send("SessionStart", { source: "startup" });
  const heard = send("UserPromptSubmit", { prompt: PROMPT[language] });
  say(`\n${paint.bold(ja ? "あなた" : "you")}    ${PROMPT[language]}`);
  sayLines(answerOf(heard).systemMessage);
  const surprises = ATTEMPTS.filter((attempt, at) => attemptIt(attempt, `try-${at}`, stage) !== attempt.expects).length;
  say(
    `\n${paint.bold(ja ? "4. 「終わりました」と言われても、確かめられるまで続けさせる。" : "4. It claims to be done. It is sent on until that is seen.")}`,
  );
  const wasHeld = endTurn(CLAIM[language], stage) === "refused";
  const wasProven = attemptIt(PROOF, "try-proof", stage) === PROOF.expects;
  const wentOn = endTurn(PROVEN[language], stage) === "allowed";
  send("SessionEnd", { reason: "other" });
  showRecord(stage);
  const isAsTold = surprises === 0 && wasHeld && wasProven && wentOn;
  return isAsTold && existsSync(join(stage.project, "greet.js")) ? 0 : 1;
}

function endTurn(words: string, { language, send }: Scratch): Attempt["expects"] {
  const ja = language === "ja";
  say(`${paint.cyan("agent")}  ${words}`);
  const { stdout, ms } = send("Stop", {
    stop_hook_active: false,
    last_assistant_message: words,
    background_tasks: [],
    session_crons: [],
  });
  const { decision, reason, systemMessage } = answerOf({ stdout });
  const isHeld = decision === "block";
  const mark = isHeld
    ? paintDecision("deny", `✖ ${ja ? "続けさせた" : "sent on"}`)
    : paintDecision("pass", `✔ ${ja ? "終わらせた" : "let go"}`);
  say(`  ${mark} ${paint.dim(`${Math.round(ms)} ms`)}`);
  sayLines(isHeld ? reason : systemMessage);
  return isHeld ? "refused" : "allowed";
}

/** Reads the answer like the host: a refusal goes to the agent, a message to the person. */
function answerOf({ stdout }: { readonly stdout: string }): Readonly<Record<string, string>> {
  return JSON.parse(stdout || "{}") as Readonly<Record<string, string>>;
}

function sayLines(words = ""): void {
  for (const line of words.split("\n").filter((one) => one !== ""))
    say(`    ${wrap(line, terminalColumns(), "      ")}`);
}

/** Sends one attempt, executes it if allowed, and reports the outcome like the host. */
function attemptIt({ scene, says, tool, input, expects }: Attempt, call: string, stage: Scratch): Attempt["expects"] {
  const { language, send } = stage;
  const fields = { tool_name: tool, tool_input: input(stage), tool_use_id: call };
  if (scene) say(`\n${paint.bold(scene[language])}`);
  say(`${paint.cyan("agent")}  ${says[language]}`);
  say(`       ${paint.dim(tool)} ${describe(tool, fields.tool_input, stage)}`);
  const answer = send("PreToolUse", fields, tool === "Read" ? "harmless" : undefined);
  if (answer.code === 2) {
    say(
      `  ${paintDecision("deny", `✖ ${language === "ja" ? "止めた" : "refused"}`)} ${paint.dim(`${Math.round(answer.ms)} ms`)}`,
    );
    sayLines(answer.stderr);
    send("PostToolBatch", { tool_calls: [{ ...fields, tool_response: answer.stderr }] });
    return "refused";
  }
  const worked = carryOut(tool, fields.tool_input, stage);
  say(
    `  ${paintDecision("pass", `✔ ${language === "ja" ? "通した" : "passed"}`)} ${paint.dim(`${Math.round(answer.ms)} ms`)}${expects === "refused" ? paint.red("  ?!") : ""}`,
  );
  if (worked) send("PostToolUse", { ...fields, tool_response: {}, duration_ms: 1 });
  else send("PostToolUseFailure", { ...fields, error: "Exit code 1", is_interrupt: false });
  return "allowed";
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

function showRecord({ project, env, language }: Scratch): void {
  const ja = language === "ja";
  const store = openJournal({ directory: placesOf(host.layout, env, project, []).journal });
  const entries = auditView(store.records(), {});
  say(`\n${ja ? "関所の記録:" : "The checkpoint's own record:"}`);
  say(
    table(
      entries.map((entry) => [
        entry.decision ? paintDecision(entry.decision) : entry.kind,
        entry.outcome ?? "",
        subject(entry).replaceAll(`${project}/`, ""),
      ]),
      "  ",
    ),
  );
  const report = orFail(store.verify());
  const kept = existsSync(join(project, "greet.js"));
  say();
  say(
    ja
      ? `ホームもフックも無事です。記録は${report.integrity === "intact" ? "無傷" : report.integrity}、${report.records} 件。`
      : `${kept ? "Home and hooks are still there" : "Something was lost"}; the journal is ${report.integrity}, ${report.records} records.`,
  );
  sayWords(
    ja
      ? "自分のプロジェクトで使うには: npm pack && npm install -g ./sekisho-*.tgz でインストールし、cd <プロジェクト> && sekisho init"
      : "To use it in a project of yours: install it (npm pack && npm install -g ./sekisho-*.tgz), then cd <project> && sekisho init",
  );
}
