/**
 * On the fast lane the host also reports over its own connection. What arrives otherwise grants nothing, even if the
 * transcript shows it too: a program of the agent can write that file.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openJournal } from "../../src/store/journal/archive.ts";
import { encodeLine } from "../../src/store/journal/line.ts";
import { openHouse } from "./house.ts";
import { openStage, type Stage } from "./stage.ts";

/** Code has changed, and its test has not run. */
async function changed() {
  const stage = openStage();
  stage.write("package.json", JSON.stringify({ scripts: { test: "node test.js" } }));
  stage.write("test.js", "");
  stage.write("a.js", "1\n");
  stage.write(".sekisho/config.yaml", "verify: { require: [test] }\n");
  stage.git("add", "--all");
  stage.git("commit", "--quiet", "--message", "begin");
  const house = openHouse(stage);
  await prompt(house, "change it");
  const edit = { tool_name: "Write", tool_input: { file_path: `${stage.project}/a.js`, content: "2\n" } };
  await house.post("PreToolUse", { ...edit, tool_use_id: "toolu_edit" });
  stage.write("a.js", "2\n");
  await house.post("PostToolUse", { ...edit, tool_use_id: "toolu_edit", tool_response: {} });
  return house;
}

type House = Awaited<ReturnType<typeof changed>>;

/** As the host does it: the process and the daemon are told at once. */
async function prompt({ turn, post }: House, words: string): Promise<string> {
  await post("UserPromptSubmit", { prompt: words }, { path: "/UserPromptSubmit/witness/x" });
  return turn("UserPromptSubmit", { prompt: words }).stdout;
}

const isHeld = ({ turn }: House): boolean =>
  turn("Stop", {
    stop_hook_active: false,
    last_assistant_message: "Done.",
    background_tasks: [],
  }).stdout.includes('"decision":"block"');

const npmTest = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "toolu_test" };
const gaps = (stage: Stage) => stage.audit("--kind", "gap");

it("counts a check that the host reports over its connection", async () => {
  const house = await changed();
  expect(isHeld(house)).toBe(true);
  await house.post("PreToolUse", npmTest);
  await house.post("PostToolUse", { ...npmTest, tool_response: { stdout: "ok" } });
  expect(isHeld(house)).toBe(false);
  expect(gaps(house.stage)).toEqual([]);
});

it("still counts it when the worker that saw it is replaced", async () => {
  const house = await changed();
  await house.post("PreToolUse", npmTest);
  await house.post("PostToolUse", { ...npmTest, tool_response: { stdout: "ok" } });
  const before = house.workers();
  for (const pid of before) process.kill(pid, "SIGKILL");
  house.hangUp();
  // The next request waits for the new worker.
  await house.bash("ls");
  expect(house.workers()).not.toEqual(before);
  expect(isHeld(house)).toBe(false);
});

it("counts no check that a process reports, although the transcript shows it, and tells the person", async () => {
  const house = await changed();
  const { stage } = house;
  // `send` plays a program of the agent here: it starts our hook and writes the host's transcript.
  stage.send("PreToolUse", npmTest);
  stage.send("PostToolUse", { ...npmTest, tool_response: { stdout: "ok" } });
  expect(isHeld(house)).toBe(true);
  expect(gaps(stage).length).toBeGreaterThan(0);
});

it("counts no check from a record that a program appended to the journal, and tells the person once", async () => {
  const house = await changed();
  const { stage } = house;
  // A check of the same files, but without the change, gives the digests that such a program would use.
  await house.post("PreToolUse", npmTest);
  await house.post("PostToolUseFailure", { ...npmTest, error: "Exit code 1\nFAIL" });
  const failed = recordWith(stage, '"outcome":"failed"');
  const record = JSON.parse(JSON.stringify(failed).replaceAll('"failed"', '"passed"')) as object;
  const forged = { ...record, event: "PostToolUse", rid: `f${Date.now().toString(36)}`, t: Date.now() };
  appendFileSync(join(stage.journal(), "journal.00000001.jsonl"), encodeLine(forged as never));
  expect(isHeld(house)).toBe(true);
  expect(gaps(stage)).toHaveLength(1);
  isHeld(house);
  expect(gaps(stage)).toHaveLength(1);
});

it("cancels a mode only by a prompt that the host reports too", async () => {
  const house = await changed();
  const { stage } = house;
  await prompt(house, "Implement the login page and don't stop until it is done");
  const modes = () => JSON.parse(stage.sekisho("mode", "list", "--json").stdout) as { mode: string }[];
  stage.send("UserPromptSubmit", { prompt: "cancel" });
  expect(isHeld(house)).toBe(true);
  expect(modes().map(({ mode }) => mode)).toContain("persistent");
  await prompt(house, "cancel");
  isHeld(house);
  expect(modes()).toEqual([]);
});

/** The last record that contains the text. */
function recordWith(stage: Stage, text: string): object {
  const records = [...openJournal({ directory: stage.journal() }).records()];
  const found = records.filter((record) => JSON.stringify(record).includes(text)).at(-1);
  if (!found) throw new Error(`No record contains ${text}.`);
  return found;
}
