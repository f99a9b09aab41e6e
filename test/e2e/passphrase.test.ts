/** A person's passphrase on the built program: set by init, asked for on a terminal, and what forged records come to. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Action } from "../../src/state/signed-action.ts";
import { encodeLine } from "../../src/store/journal/line.ts";
import { keepKeyFile, newKey } from "../../src/store/key-making.ts";
import { until } from "../until.ts";
import { type Answer, noticeOf } from "./answer.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";
import { transcriptIn } from "./transcript.ts";

const PHRASE = "four words are enough";
const FORCED = "git push --force";
const LOCAL = ".claude/settings.local.json";

/** Without a terminal, also where the tests run in one. */
function alone(stage: Stage, args: readonly string[], input = ""): Answer {
  return stage.run("setsid", ["--wait", program.node, program.bundle, ...args], { input });
}

function protectedStage(): Stage {
  const stage = openStage({ registered: false });
  const init = alone(stage, ["init", "--yes", "--lane", "plain", "--passphrase-stdin"], `${PHRASE}\n`);
  expect(init).toMatchObject({ code: 0, stderr: "" });
  expect(init.stdout).toContain("passphrase set; the hooks name your key");
  return stage;
}

/** Runs the hook exactly as the settings file says. */
function hook(stage: Stage, event: string, fields: object): Answer {
  const { hooks } = JSON.parse(stage.read(LOCAL) ?? "") as {
    hooks: Record<string, { hooks: { command: string; args: string[] }[] }[]>;
  };
  const entry = hooks[event]?.[0]?.hooks[0];
  if (!entry) throw new Error(`No hook for ${event}.`);
  const given = { session_id: "s1", cwd: stage.project, hook_event_name: event, ...fields };
  const transcript = transcriptIn(stage.home);
  const payload = { ...given, ...transcript.fields(given) };
  transcript.before(payload);
  const answer = stage.run(entry.command, entry.args, { input: JSON.stringify(payload) });
  transcript.after(payload, answer.code === 2);
  return answer;
}

let calls = 0;
const bash = (stage: Stage, command: string): Answer =>
  hook(stage, "PreToolUse", { tool_name: "Bash", tool_input: { command }, tool_use_id: `c${++calls}` });
const begin = (stage: Stage): Answer => hook(stage, "SessionStart", { source: "startup" });
const prompt = (stage: Stage): string => noticeOf(hook(stage, "UserPromptSubmit", { prompt: "go on" }));

/** Types the passphrase on a terminal once it is asked for. */
async function typing(stage: Stage, args: readonly string[], phrase: string): Promise<Omit<Answer, "stderr">> {
  const line = [program.node, program.bundle, ...args].join(" ");
  const child = spawn("script", ["-qec", line, "/dev/null"], { cwd: stage.project, env: stage.env });
  let [stdout, isTyped] = ["", false];
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString();
    if (isTyped || !stdout.includes("Passphrase for sekisho")) return;
    isTyped = true;
    child.stdin.write(`${phrase}\r`);
  });
  const [code] = (await once(child, "close")) as [number];
  return { code, stdout };
}

/** Appends a line with a right checksum, as a script of the agent can. */
function forge(stage: Stage, record: Partial<Action>): void {
  const now = Date.now();
  const pause = { record: "pause", do: "begin", pause: { at: now, until: now + 600_000 } } as const;
  const whole = {
    kind: "action",
    action: "pause",
    changes: [pause],
    rid: `f${now.toString(36)}`,
    t: now,
    ...record,
  } as Action;
  fs.appendFileSync(join(stage.journal(), "journal.00000001.jsonl"), encodeLine(whole));
}

const statusOf = (stage: Stage) =>
  JSON.parse(stage.sekisho("status", "--json").stdout) as {
    passphrase: string;
    pause: unknown;
    voided: readonly object[];
  };

describe.skipIf(forPeople.skip)(`a passphrase${forPeople.why}`, () => {
  it("is set by init, named by every hook, and asked for on the terminal without being shown", async () => {
    const stage = protectedStage();
    const { hooks } = JSON.parse(stage.read(LOCAL) ?? "") as { hooks: Record<string, { hooks: object[] }[]> };
    const entries = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
    expect(entries.filter((entry) => !/key=[\w-]{43}\./.test(JSON.stringify(entry)))).toEqual([]);
    expect(statusOf(stage)).toMatchObject({ passphrase: "pinned", pause: null, voided: [] });
    begin(stage);
    expect(bash(stage, FORCED).code).toBe(2);
    const wrong = await typing(stage, ["pause"], "not these words");
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain("Wrong passphrase. Nothing was changed.");
    expect(statusOf(stage).pause).toBeNull();
    const right = await typing(stage, ["pause"], PHRASE);
    expect(right.stdout).toContain("paused for 10 min");
    expect(wrong.stdout + right.stdout).not.toMatch(/not these words|four words/);
    expect(bash(stage, FORCED).code).toBe(0);
    // Tightening needs no passphrase.
    expect(alone(stage, ["resume"]).stdout).toContain("everything is checked again");
    expect(bash(stage, FORCED).code).toBe(2);
    expect(stage.sekisho("audit", "verify").code).toBe(0);
  });

  it("is asked for by every command that grants, and without a terminal nothing happens", () => {
    const stage = protectedStage();
    begin(stage);
    for (const line of [
      "pause",
      "allow m1",
      "stance building",
      "config set profile oath",
      "cancel",
      "audit prune",
      "uninstall",
      "down",
      "undo --force",
    ]) {
      const { code, stderr } = alone(stage, line.split(" "));
      expect([line, code, /asks for your passphrase, and there is no terminal/.test(stderr)]).toEqual([line, 1, true]);
    }
    expect(stage.read(LOCAL)).toContain("key=");
    expect(alone(stage, ["pause", "--passphrase-stdin"], "wrong\n").stderr).toContain("Wrong passphrase");
    expect(alone(stage, ["pause", "--passphrase-stdin"], `${PHRASE}\n`).code).toBe(0);
  });

  it("makes a forged pause worthless: the command is refused, and the person is told", () => {
    const stage = protectedStage();
    begin(stage);
    forge(stage, {});
    expect(bash(stage, FORCED).code).toBe(2);
    expect(statusOf(stage)).toMatchObject({ pause: null, voided: [{ action: "pause", why: "unsigned" }] });
    expect(prompt(stage)).toContain("claims that you ran `sekisho pause`, but it has no signature");
    expect(prompt(stage)).toBe("");
    const { code, stdout } = stage.sekisho("audit", "verify");
    expect([code, stdout]).toEqual([2, expect.stringMatching(/Not signed by you[\s\S]*pause +no signature/)]);
    const doctor = JSON.parse(stage.sekisho("doctor", "--quick", "--json").stdout) as {
      checks: { id: string; state: string }[];
    };
    expect(doctor.checks.find(({ id }) => id === "passphrase")?.state).toBe("warn");
  });

  it("does not sign with an exchanged key file, and the hooks still believe only the key that they name", () => {
    const stage = protectedStage();
    begin(stage);
    const root = join(stage.state, "sekisho");
    const evil = newKey("words of the agent", Date.now() - 1000, 1);
    keepKeyFile(root, evil.file);
    expect(alone(stage, ["pause", "--passphrase-stdin"], "words of the agent\n").stderr).toContain(
      "somebody may have exchanged it",
    );
    const now = Date.now();
    const changes = [{ record: "pause", do: "begin", pause: { at: now, until: now + 600_000 } }] as const;
    const record: Action = { kind: "action", action: "pause", changes, rid: "fr1", t: now };
    forge(stage, { ...record, sig: evil.sign(record, stage.journal().split("/").at(-1) ?? "") });
    expect(bash(stage, FORCED).code).toBe(2);
    expect(prompt(stage)).toMatch(/its signature is wrong[\s\S]*not the one that the hooks name/);
    fs.rmSync(join(root, "person.key"));
    expect(bash(stage, FORCED).code).toBe(2);
    expect(statusOf(stage)).toMatchObject({ passphrase: "gone", pause: null });
    expect(alone(stage, ["pause"]).stderr).toContain("the file with that key is gone");
  });

  it("is not lost by settings without it: the session notices, and the key file still counts", () => {
    const stage = protectedStage();
    begin(stage);
    stage.write(LOCAL, (stage.read(LOCAL) ?? "").replace(/,\s*"key=[^"]*"/g, ""));
    forge(stage, {});
    expect(bash(stage, FORCED).code).toBe(2);
    expect(noticeOf(begin(stage))).toMatch(/is not what earlier sessions began with: .*key [0-9a-f]{16}/);
    // Without the file too nothing counts, because this journal has signed records.
    fs.rmSync(join(stage.state, "sekisho", "person.key"));
    forge(stage, { rid: "f2" });
    expect(bash(stage, FORCED).code).toBe(2);
  });

  it("lets a person in whose terminal has no parents any more", async () => {
    const stage = protectedStage();
    begin(stage);
    const said = join(stage.root, "said.txt");
    const line = `${program.node} ${program.bundle} pause --passphrase-stdin`;
    stage.run("sh", ["-c", `(setsid sh -c 'echo ${PHRASE} | ${line} >${said} 2>&1; echo ended >>${said}' &)`]);
    await until(() => fs.existsSync(said) && fs.readFileSync(said, "utf8").includes("ended"), "the end of the command");
    expect(fs.readFileSync(said, "utf8")).toContain("paused for 10 min");
  });

  it("can be switched off by its owner alone, and then things are as without one", () => {
    const stage = protectedStage();
    const args = ["init", "--yes", "--lane", "plain", "--no-passphrase"];
    expect(alone(stage, args).code).toBe(1);
    expect(alone(stage, [...args, "--passphrase-stdin"], `${PHRASE}\n`)).toMatchObject({ code: 0, stderr: "" });
    expect(stage.read(LOCAL)).not.toContain("key=");
    expect(statusOf(stage)).toMatchObject({ passphrase: "off" });
    expect(alone(stage, ["pause"]).code).toBe(0);
    expect(alone(stage, ["uninstall", "--purge", "--yes"]).code).toBe(0);
    expect(fs.existsSync(join(stage.state, "sekisho"))).toBe(false);
  });

  it("is not set without a terminal, which init says", () => {
    const stage = openStage({ registered: false });
    const init = alone(stage, ["init", "--yes", "--lane", "plain"]);
    expect(init.stdout).toContain("no passphrase; `sekisho init` sets one");
    expect(alone(stage, ["init", "--yes", "--passphrase-stdin"], "short\n").stderr).toContain("at least 12 characters");
    expect(statusOf(stage).passphrase).toBe("none");
  });
});
