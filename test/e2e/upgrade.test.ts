/** Upgrading to another version and back: what is shown, what is refused, and the effect on running sessions. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { registrationIn } from "../../src/hosts/claude-code/registered.ts";
import type { OwnHook } from "../../src/hosts/registration.ts";
import { OUR_FILES } from "../../src/policies/access/tampering/own-place.ts";
import { openJournal } from "../../src/store/journal/archive.ts";
import { until } from "../until.ts";
import { type Answer, endOf } from "./answer.ts";
import { expectFailure } from "./day.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

const PATH = ".claude/settings.local.json";
const { version: versionHere, files: filesHere } = JSON.parse(
  fs.readFileSync(join(dirname(program.bundle), "manifest.json"), "utf8"),
) as { version: string; files: Readonly<Record<string, string>> };
const NEXT = "9.9.9";

/** The next version: the same program under another number, with a matching manifest. */
function buildNext(directory: string): string {
  fs.cpSync(dirname(program.bundle), directory, { recursive: true });
  const read = (name: string): string => fs.readFileSync(join(directory, name), "utf8");
  const sum = (text: string): string => createHash("sha256").update(text).digest("hex");
  const names = Object.keys(filesHere).filter((name) => name !== "sekisho.cjs");
  let launcher = read("sekisho.cjs");
  const files: Record<string, string> = {};
  for (const name of names) {
    const text = read(name).replaceAll(`"${versionHere}"`, `"${NEXT}"`);
    // The launcher identifies the bundles by their checksums.
    launcher = launcher.replaceAll(sum(read(name)), sum(text));
    fs.writeFileSync(join(directory, name), text);
    files[name] = sum(text);
  }
  fs.writeFileSync(join(directory, "sekisho.cjs"), launcher);
  files["sekisho.cjs"] = sum(launcher);
  fs.writeFileSync(join(directory, "manifest.json"), JSON.stringify({ version: NEXT, files }));
  return join(directory, "sekisho.cjs");
}

it("OUR_FILES lists every file of the program, so that none can be replaced unnoticed", () => {
  expect(OUR_FILES).toEqual(expect.arrayContaining(Object.keys(filesHere)));
});

const startedIn = (stage: Stage): string =>
  registrationIn(stage.read(PATH))
    ?.programs.map(({ bundle }) => bundle)
    .join() ?? "";

interface Tally {
  acknowledged: number;
  readonly wrong: string[];
  readonly bundles: Set<string>;
}

/** Acts as a host: re-reads its settings from time to time, runs the registered hooks, and counts the answers. */
async function live(stage: Stage, session: string, tally: Tally, isOver: () => boolean): Promise<void> {
  let hooks: readonly OwnHook[] = [];
  let asked = 0;
  const ask = async (event: string, fields: object, wanted: number, gate?: "harmless"): Promise<void> => {
    if (asked++ % REREAD_EVENTS === 0) hooks = registrationIn(stage.read(PATH))?.hooks ?? [];
    const found = hooks.find(
      (hook) => hook.event === event && (hook.hook["args"] as string[]).includes("harmless") === (gate === "harmless"),
    );
    if (!found) return void tally.wrong.push(`${event}: no hook in the settings`);
    const child = spawn(String(found.hook["command"]), found.hook["args"] as string[], {
      cwd: stage.project,
      env: stage.env,
    });
    const payload = {
      session_id: session,
      cwd: stage.project,
      permission_mode: "default",
      hook_event_name: event,
      ...fields,
    };
    child.stdin.end(JSON.stringify(payload));
    const { code, stderr } = await endOf(child);
    tally.bundles.add(found.program?.bundle ?? "");
    if (code === 0 || code === 2) tally.acknowledged += 1;
    if (code !== wanted) tally.wrong.push(`${event} ${JSON.stringify(fields)}: ${code} ${stderr}`);
  };
  const tool = (name: string, input: object, at: number): object => ({
    tool_name: name,
    tool_input: input,
    tool_use_id: `${session}-${at}`,
  });
  await ask("SessionStart", { source: "startup" }, 0);
  for (let at = 0; !isOver(); at += 3) {
    await ask("PreToolUse", tool("Read", { file_path: join(stage.project, "hello.txt") }, at), 0, "harmless");
    await ask("PreToolUse", tool("Bash", { command: "git reset --hard" }, at + 1), 2);
    await ask("PreToolUse", tool("Bash", { command: "echo hello" }, at + 2), 0);
  }
  await ask("SessionEnd", { reason: "other" }, 0);
}

const REREAD_EVENTS = 4;

/** A person in another terminal, while the sessions go on. */
function person(stage: Stage, ...words: readonly string[]): Promise<Answer> {
  const child = spawn(program.node, [program.bundle, ...words], { cwd: stage.project, env: stage.env });
  child.stdin.end();
  return endOf(child);
}

describe.skipIf(forPeople.skip)(`upgrade and rollback with three live sessions${forPeople.why}`, () => {
  it("refuse no read, lose no record and leave no gate open", async () => {
    const stage = openStage({ processes: "warm" });
    const next = buildNext(join(stage.root, "next"));
    let over = false;
    const tallies = ["s-a", "s-b", "s-c"].map((): Tally => ({ acknowledged: 0, wrong: [], bundles: new Set() }));
    const sessions = tallies.map((tally, at) => live(stage, ["s-a", "s-b", "s-c"][at] ?? "", tally, () => over));
    // Long enough that each session has read its settings again.
    const someEvents = (): Promise<void> => {
      const wanted = tallies.map(({ acknowledged }) => acknowledged + REREAD_EVENTS + 1);
      return until(() => tallies.every(({ acknowledged }, at) => acknowledged >= (wanted[at] ?? 0)), "some events");
    };
    for (const words of [["--to", next], ["--back"], ["--to", NEXT], ["--back"]]) {
      await someEvents();
      expect(await person(stage, "upgrade", ...words)).toMatchObject({ code: 0, stderr: "" });
    }
    await someEvents();
    over = true;
    await Promise.all(sessions);
    expect(tallies.flatMap(({ wrong }) => wrong)).toEqual([]);
    const records = [...openJournal({ directory: stage.journal() }).records()];
    for (const [at, { acknowledged, bundles }] of tallies.entries()) {
      const session = ["s-a", "s-b", "s-c"][at];
      expect(acknowledged).toBeGreaterThan(10);
      expect(records.filter((record) => record.kind === "verdict" && record.session === session)).toHaveLength(
        acknowledged,
      );
      expect([...bundles].some((bundle) => bundle.includes(`versions/${NEXT}-`))).toBe(true);
      expect(bundles).toContain(program.bundle);
    }
    expect(stage.sekisho("audit", "verify").code).toBe(0);
    expect(startedIn(stage)).toBe(program.bundle);
  });
});

describe.skipIf(forPeople.skip)(`upgrade${forPeople.why}`, () => {
  it("shows what each registration starts, and what this program is", () => {
    const { sekisho, project } = openStage();
    const parts = ` +program +${program.bundle}\n +node +${program.node}\n`;
    expect(sekisho("upgrade").stdout).toMatch(
      new RegExp(
        `^Hooks in +${join(project, PATH)}\n +version +${versionHere}\n${parts}\\nThis program +${versionHere}\n${parts}$`,
      ),
    );
    expect(JSON.parse(sekisho("upgrade", "--json").stdout)).toEqual({
      registered: [{ file: join(project, PATH), version: versionHere, ...program }],
      this: { version: versionHere, ...program },
      kept: [],
    });
  });

  it("keeps a permanent copy readable by the user only, and preserves the format of the file", () => {
    const stage = openStage();
    const next = buildNext(join(stage.root, "next"));
    const before = stage.read(PATH) ?? "";
    expect(stage.sekisho("upgrade", "--to", join(stage.root, "next")).code).toBe(0);
    const kept = startedIn(stage);
    expect(kept).toContain(join(stage.state, "sekisho/versions", `${NEXT}-`));
    expect(stage.read(PATH)).toBe(before.replaceAll(program.bundle, kept));
    expect((fs.statSync(dirname(kept)).mode & 0o777).toString(8)).toBe("700");
    expect(stage.sekisho("status").stdout).toMatch(/Hooks +\d+ registered in/);
    const { checks } = JSON.parse(stage.sekisho("doctor", "--json", "--quick").stdout) as {
      checks: { id: string; state: string }[];
    };
    expect(checks.filter(({ state }) => state === "fail" || state === "warn").map(({ id }) => id)).toEqual(["program"]);
    fs.rmSync(dirname(next), { recursive: true });
    expect(stage.run(program.node, [kept, "--version"]).stdout).toBe(`${NEXT}\n`);
    expect(stage.sekisho("upgrade", "--back").code).toBe(0);
    expect(stage.read(PATH)).toBe(before);
  });

  it("is not tampering in a running session, and any other program still is", () => {
    const stage = openStage();
    stage.send("SessionStart", { source: "startup" });
    const changed = (): number | null =>
      stage.send("ConfigChange", { source: "local_settings", file_path: join(stage.project, PATH) }).code;
    const before = stage.read(PATH) ?? "";
    const other = buildNext(join(stage.root, "next"));
    stage.write(PATH, before.replaceAll(program.bundle, other));
    expect(changed()).toBe(2);
    stage.write(PATH, before);
    expect(stage.sekisho("upgrade", "--to", other).code).toBe(0);
    expect(changed()).toBe(0);
    stage.write(PATH, before.replaceAll(program.bundle, other));
    expect(changed()).toBe(2);
  });

  it("points no hook at a program that is damaged, lets everything pass, or is not Sekisho", () => {
    const stage = openStage();
    const before = stage.read(PATH);
    const open = join(stage.root, "open");
    fs.mkdirSync(open);
    fs.writeFileSync(join(open, "sekisho.cjs"), "process.exit(0);\n");
    const sum = createHash("sha256").update("process.exit(0);\n").digest("hex");
    fs.writeFileSync(join(open, "manifest.json"), JSON.stringify({ version: "6.6.6", files: { "sekisho.cjs": sum } }));
    expectFailure(stage.sekisho("upgrade", "--to", open), /a forbidden command was passed.*No hook was changed/s);
    const damaged = buildNext(join(stage.root, "damaged"));
    fs.appendFileSync(join(dirname(damaged), "hook.cjs"), "\n");
    expectFailure(stage.sekisho("upgrade", "--to", damaged), /not as it was built \(hook\.cjs\)/);
    expectFailure(
      stage.sekisho("upgrade", "--to", "7.7.7"),
      /neither a program of Sekisho nor a version that was kept/,
    );
    expectFailure(stage.sekisho("upgrade", "--back"), /knows no way back/);
    expectFailure(stage.sekisho("upgrade", "--back", "--to", "this"), /Either --to or --back/);
    expect(stage.read(PATH)).toBe(before);
  });

  it("needs registered hooks", () => {
    expectFailure(
      openStage({ registered: false }).sekisho("upgrade", "--to", "this"),
      /No hook of Sekisho is registered/,
    );
  });

  it("is for people only", () => {
    const { run, read } = openStage();
    const before = read(PATH);
    for (const words of [["--to", "this"], ["--back"]]) {
      expectFailure(run("env", ["CLAUDECODE=1", program.node, program.bundle, "upgrade", ...words]), /for people only/);
    }
    expect(read(PATH)).toBe(before);
  });
});
