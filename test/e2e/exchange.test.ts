/** Import and export: other tools' formats, and the section in SESSION_STATE.md. */
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Answer } from "./answer.ts";
import { expectFailure } from "./day.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

const DOMAIN = {
  score: 0.51,
  successes: 20,
  failures: 1,
  total_operations: 21,
  last_operated_at: "2026-02-28T08:00:00Z",
  is_warming_up: false,
  warmup_remaining: 0,
  consecutive_failures: 1,
  pre_failure_score: 0.6,
  is_recovering: true,
};
const file = (domains: object): string =>
  JSON.stringify({ version: "2", updated_at: DOMAIN.last_operated_at, global_operation_count: 21, domains });
const many = Object.fromEntries(
  ["_global", ...Array.from({ length: 40 }, (_, at) => `kind_${at}`)].map((name) => [name, DOMAIN]),
);

interface Exported {
  readonly updated_at: string;
  readonly global_operation_count: number;
  readonly domains: Readonly<Record<string, typeof DOMAIN>>;
}
const exported = (stage: Stage): Exported => JSON.parse(stage.sekisho("export", "trust-scores").stdout) as Exported;
const records = (stage: Stage): number => stage.audit().filter(({ event }) => event === "import").length;
const quietly = ({ code, stderr }: Answer) => ({ code, stderr });

describe.skipIf(forPeople.skip)(`import and export${forPeople.why}`, () => {
  it("TR-15 TR-12 without a file export gives the default and creates nothing", () => {
    const stage = openStage({ registered: false });
    expect(exported(stage)).toMatchObject({ global_operation_count: 0, domains: { _global: { score: 0.3 } } });
    expect(Object.keys(exported(stage).domains)).toEqual(["_global"]);
    expect(stage.sekisho("export", "current-phase").stdout).toBe("BUILDING\n");
    expect(fs.existsSync(stage.state)).toBe(false);
  });

  it("TR-15 TR-17 import fills missing fields, shows the changes, and is idempotent", () => {
    const stage = openStage();
    const { consecutive_failures: _, pre_failure_score: __, is_recovering: ___, ...phase1 } = DOMAIN;
    stage.write("trust-scores.json", file({ shell_exec: phase1 }));
    const trial = stage.sekisho("import", "trust-scores.json", "--dry-run");
    expect(trial.stdout).toMatch(/^shell_exec +– +→ +0\.51 \(20\/1\)$/m);
    expect(records(stage)).toBe(0);
    const first = stage.sekisho("import", "trust-scores.json");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("✔ trust-scores imported");
    const filled = { ...phase1, consecutive_failures: 0, pre_failure_score: null, is_recovering: false };
    expect(exported(stage).domains["shell_exec"]).toEqual(filled);
    const again = stage.sekisho("import", "trust-scores.json");
    expect(again.stdout).toMatch(/It has replaced the trust in 1 domain.*sekisho export trust-scores --out FILE/);
    expect(exported(stage).domains["shell_exec"]).toEqual(filled);
  });

  it("TR-16 a version 1 file is recognized by its content, whatever its name", () => {
    const stage = openStage();
    stage.write("old/state.json", '{"score": 0.6, "successes": 8, "failures": 2}');
    expect(stage.sekisho("import", "old/state.json").stdout).toContain("version 1: its one record becomes _global");
    expect(exported(stage)).toMatchObject({
      global_operation_count: 10,
      domains: { _global: { score: 0.6, total_operations: 10, is_warming_up: false } },
    });
  });

  it("an exported file can be imported elsewhere, in as many records as needed", () => {
    const [from, to] = [openStage(), openStage()];
    from.write("trust-scores.json", file(many));
    expect(quietly(from.sekisho("import", "trust-scores.json"))).toEqual({ code: 0, stderr: "" });
    expect(records(from)).toBeGreaterThan(1);
    const target = join(to.project, "trust-scores.json");
    expect(from.sekisho("export", "trust-scores", "--out", target).stdout).toContain("written");
    expectFailure(from.sekisho("export", "trust-scores", "--out", target), /it is there already/);
    expect(quietly(to.sekisho("import", "trust-scores.json"))).toEqual({ code: 0, stderr: "" });
    const { updated_at: _, ...first } = exported(from);
    const { updated_at: __, ...second } = exported(to);
    expect(second).toEqual(first);
    expect(second.domains).toEqual(many);
  });

  it.runIf(process.platform === "linux")("an interrupted import says so, and running it again completes it", () => {
    const stage = openStage();
    stage.write("trust-scores.json", file(many));
    stage.sekisho("import", "trust-scores.json", "--dry-run");
    const words = ["-c", 'ulimit -f 4; exec "$0" "$@"', program.node, program.bundle, "import", "trust-scores.json"];
    const cut = stage.run("bash", words);
    expectFailure(cut, /\d+ of \d+ parts are in\. Run the same command again/);
    const half = Object.keys(exported(stage).domains);
    expect(half.length).toBeGreaterThan(1);
    expect(half.length).toBeLessThan(41);
    // Missing domains count as unknown, not as the file's fallback.
    expect(exported(stage).domains["_global"]).toMatchObject({ score: 0.3, total_operations: 0 });
    expect(quietly(stage.sekisho("import", "trust-scores.json"))).toEqual({ code: 0, stderr: "" });
    expect(exported(stage).domains).toEqual(many);
  });

  it("TR-61 importing current-phase.md sets the stance from the next tool call on", () => {
    const stage = openStage();
    stage.write(".claude/current-phase.md", "\n Planning \n");
    expect(stage.sekisho("import", ".claude/current-phase.md").stdout).toMatch(/^stance +– +→ +planning$/m);
    expect(stage.use("Write", { file_path: join(stage.project, "src/a.ts"), content: "" }).stderr).toMatch(
      /phase_policy/,
    );
    expect(stage.sekisho("export", "current-phase").stdout).toBe("PLANNING\n");
    stage.write(".claude/current-phase.md", "shipping");
    expect(stage.sekisho("import", ".claude/current-phase.md").stdout).toMatch(/! "shipping" is none of .* auditing/);
    expect(stage.sekisho("export", "current-phase").stdout).toBe("AUDITING\n");
  });

  it("an invalid file is reported and changes nothing", () => {
    const stage = openStage();
    stage.write("good.json", file({ shell_exec: DOMAIN }));
    stage.sekisho("import", "good.json");
    const before = exported(stage);
    for (const [name, text, words] of [
      ["trust-scores.json", "{", /trust-scores\.json: the file is not JSON/],
      ["new.json", '{"version":"3","domains":{}}', /version "3" is newer than this program knows/],
      ["bad.json", file({ shell_exec: { ...DOMAIN, score: 2 } }), /domains\.shell_exec\.score must be .* but it is 2/],
      ["proto.json", `{"version":"2","global_operation_count":0,"domains":{"__proto__":{}}}`, /a name in domains must/],
      ["trust-scores.json", "building", /cannot be told: its name and its content say different things.*--as/],
      ["notes.txt", "hello", /cannot be told: neither its name nor its content says it.*--as/],
      ["huge.json", `{"domains":"${"x".repeat(5_000_000)}"}`, /too many/],
      ["latin.json", "", /is not UTF-8/],
    ] as const) {
      stage.write(name, text);
      if (name === "latin.json") fs.writeFileSync(join(stage.project, name), Buffer.from([0x7b, 0xff, 0x7d]));
      expectFailure(stage.sekisho("import", name), words);
    }
    expectFailure(stage.sekisho("import"), /Give a file/);
    expectFailure(stage.sekisho("import", "nowhere.json"), /There is no file nowhere\.json/);
    expectFailure(stage.sekisho("import", ".git"), /is a directory and has none of persistent-state/);
    expectFailure(stage.sekisho("import", "good.json", "--as", "inbox"), /There is no format "inbox"/);
    expectFailure(stage.sekisho("export"), /Give a kind: trust-scores, current-phase/);
    expectFailure(stage.sekisho("export", "inbox"), /There is no format "inbox"/);
    expect(exported(stage)).toEqual(before);
  });
});

describe("save and load", () => {
  it("TR-112 work without a journal, and the file says so", () => {
    const stage = openStage({ registered: false });
    expect(stage.sekisho("load")).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^Phase: BUILDING \| next: – \| open: –\nTrust: not initialised\nThere is no /),
    });
    expect(quietly(stage.sekisho("save"))).toEqual({ code: 0, stderr: "" });
    expect(stage.read("SESSION_STATE.md")).toContain("- Global operations: not initialised\n");
    expect(fs.existsSync(stage.state)).toBe(false);
  });

  it("TR-112 show the changes since the last save, and keep every byte outside their section", () => {
    const stage = openStage();
    stage.write("SESSION_STATE.md", "# Mine\r\n\r\nNext: the parser\r\n");
    expect(stage.sekisho("save").stdout).toContain(
      "Phase: BUILDING | next: the parser | open: –\nTrust: not initialised\n",
    );
    const use = { tool_name: "Read", tool_input: { file_path: "a" }, tool_use_id: "r1" };
    stage.send("PreToolUse", use);
    stage.send("PostToolUse", { ...use, tool_response: {} });
    expect(stage.sekisho("load").stdout).toMatch(/\nSince .*:\n {2}operations: 0 → 1\n {2}file_read: new, 0\.335\n$/);
    expect(stage.sekisho("save").stdout).toContain("\nTrust: file_read=0.34\n");
    const text = stage.read("SESSION_STATE.md") ?? "";
    expect(text.startsWith("# Mine\r\n\r\nNext: the parser\r\n\r\n<!-- sekisho")).toBe(true);
    expect(text.match(/Trust State/g)).toHaveLength(1);
    expect(text).toContain("- file_read=0.335 (1/0)\r\n");
    expect(JSON.parse(stage.sekisho("load", "--json").stdout)).toMatchObject({
      next: "the parser",
      saved: { changes: [] },
    });
  });

  it("write through no link, nowhere outside the project, and into no settings", () => {
    const stage = openStage();
    fs.writeFileSync(join(stage.root, "mine.md"), "as it was\n");
    fs.symlinkSync(join(stage.root, "mine.md"), join(stage.project, "SESSION_STATE.md"));
    expectFailure(stage.sekisho("save"), /is reached through a link/);
    expectFailure(stage.sekisho("load"), /is reached through a link/);
    expect(fs.readFileSync(join(stage.root, "mine.md"), "utf8")).toBe("as it was\n");
    for (const [path, words] of [
      ["../mine.md", /is outside the project/],
      [".claude/commands/x.md", /where programs keep their settings/],
      [".git/x.md", /where programs keep their settings/],
      ["package.json", /must end in \.md/],
    ] as const) {
      expectFailure(stage.sekisho("load", "--file", path), words);
    }
  });
});

describe("an agent's shell", () => {
  const asAgent = (stage: Stage, ...args: readonly string[]): Answer =>
    stage.run("env", ["CLAUDECODE=1", program.node, program.bundle, ...args]);

  it("cannot import, set a stance, or make the program write a file of its choice", () => {
    const stage = openStage();
    stage.write("trust-scores.json", file({ shell_exec: { ...DOMAIN, score: 1 } }));
    for (const words of [
      ["import", "trust-scores.json"],
      ["import", "trust-scores.json", "--dry-run"],
      ["export", "trust-scores", "--out", "x.json"],
      ["save", "--file", "x.md"],
    ]) {
      expectFailure(asAgent(stage, ...words), /is for people only/);
      expect(stage.bash(`sekisho ${words.join(" ")}`).stderr).toContain("[no-tampering]");
    }
    expect(exported(stage).global_operation_count).toBe(0);
    expect([stage.read("x.json"), stage.read("x.md")]).toEqual([undefined, undefined]);
  });

  it.each(["planning", "building", "auditing"])("can save, load and print while %s", (stance) => {
    const stage = openStage();
    stage.write(".sekisho/config.yaml", `stance:\n  default: ${stance}\n`);
    for (const words of [["save"], ["load"], ["export", "trust-scores"]]) {
      expect([words, quietly(asAgent(stage, ...words))]).toEqual([words, { code: 0, stderr: "" }]);
      expect([words, stage.bash(`sekisho ${words.join(" ")}`)]).toEqual([words, { code: 0, stdout: "", stderr: "" }]);
    }
  });

  it("gives no cover for other commands, and protected files apply here too", () => {
    const stage = openStage();
    stage.write(".sekisho/config.yaml", "stance:\n  default: auditing\n");
    for (const command of [
      "sekisho save && make",
      "sekisho load > src/a.ts",
      "./sekisho save",
      "PATH=. sekisho load",
    ]) {
      expect([command, stage.bash(command).stderr]).toEqual([command, expect.stringContaining("phase_policy")]);
    }
    stage.write(".sekisho/config.yaml", "");
    stage.write(".sekisho/protected", "SESSION_STATE.md\n");
    expect(stage.bash("sekisho save").stderr).toContain("[no-protected-edit]");
  });
});
