/** The stance: how it is shown and set, and what is allowed in each. */
import { describe, expect, it } from "vitest";
import { type Answer, noticeOf } from "./answer.ts";
import { expectFailure } from "./day.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

interface Shown {
  readonly stance: string;
  readonly implicit: boolean;
  readonly open: readonly string[];
  readonly gated: readonly string[];
  readonly closed: readonly string[];
}

const shown = ({ sekisho }: Stage): Shown => JSON.parse(sekisho("stance", "--json").stdout) as Shown;

/** A tool call in each domain to which only a stance objects. */
const USES: Readonly<Record<string, (stage: Stage) => Answer>> = {
  file_read: ({ use, project }) => use("Read", { file_path: `${project}/src/app.ts` }),
  file_write: ({ use, project }) => use("Write", { file_path: `${project}/notes.txt`, content: "x" }),
  file_write_src: ({ use, project }) =>
    use("Edit", { file_path: `${project}/src/app.ts`, old_string: "a", new_string: "b" }),
  docs_write: ({ use, project }) => use("Write", { file_path: `${project}/docs/plan.md`, content: "x" }),
  test_run: ({ bash }) => bash("npm test"),
  git_read: ({ bash }) => bash("git status"),
  git_local: ({ bash }) => bash("git add notes.txt"),
  git_remote: ({ bash }) => bash("git fetch origin"),
  shell_exec: ({ bash }) => bash("touch notes.txt && make build"),
  control: ({ use }) => use("TodoWrite", { todos: [] }),
  external: ({ use }) => use("WebFetch", { url: "https://example.invalid/", prompt: "read" }),
  _global: ({ use }) => use("Frobnicate", { what: "x" }),
};

const ALL = Object.keys(USES);
const CLOSED = {
  planning: ["file_write", "file_write_src", "git_remote", "shell_exec"],
  building: [],
  auditing: ALL.filter((domain) => !["file_read", "git_read", "control"].includes(domain)),
} as const;

const isClosed = ({ code, stderr }: Answer): boolean => code === 2 && stderr.includes("(phase_policy)");

describe.skipIf(forPeople.skip)(`stance${forPeople.why}`, () => {
  it("TR-105 TR-66 is shown in capitals, with whether anybody set it", () => {
    const stage = openStage();
    const { code, stdout } = stage.sekisho("stance");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^BUILDING \(by default; nobody has set it\)\n/);
    expect(stdout).toMatch(/asked when risky, until trust is earned +git_local, shell_exec/);
    expect(shown(stage)).toMatchObject({ stance: "BUILDING", implicit: true });
    expect(stage.sekisho("stance", "building").stdout).toMatch(/^BUILDING \(in force from the next tool call\)\n/);
    expect(shown(stage)).toMatchObject({ stance: "BUILDING", implicit: false });
  });

  it("TR-61 accepts any case and white space; an unknown word lists the three and changes nothing", () => {
    const stage = openStage();
    expect(stage.sekisho("stance", " PlanNing ").code).toBe(0);
    expectFailure(stage.sekisho("stance", "resting"), /no stance "resting".*planning, building, auditing/);
    expectFailure(stage.sekisho("stance", ""), /no stance ""/);
    expect(shown(stage)).toMatchObject({ stance: "PLANNING", implicit: false });
    expect(stage.audit().filter(({ event }) => event === "stance")).toMatchObject([
      { kind: "action", reason: expect.stringMatching(/^planning, from /) },
    ]);
  });

  it("TR-107 showing it writes nothing", () => {
    const stage = openStage();
    stage.sekisho("stance", "planning");
    const before = stage.audit();
    stage.sekisho("stance");
    stage.sekisho("config");
    expect(stage.audit()).toEqual(before);
  });

  it("TR-61 TR-63 applies from the next tool call on, and a refusal is recorded and costs no trust", () => {
    const stage = openStage();
    stage.send("SessionStart", { source: "startup" });
    const { file_write_src: edit, control, file_read: read, docs_write: docs } = USES;
    expect(edit?.(stage).code).toBe(0);
    stage.sekisho("stance", "planning");
    const refused = edit?.(stage);
    expect(refused?.code).toBe(2);
    expect(refused?.stderr).toMatch(/file_write_src work .* the stance is PLANNING \(phase_policy\)/);
    for (const open of [control, read, docs]) expect(open?.(stage).code).toBe(0);
    expect(stage.audit().find(({ verdict }) => verdict === "deny")).toMatchObject({
      policies: ["no-tool-outside-stance"],
      outcome: "refused",
    });
    stage.sekisho("stance", "building");
    expect(edit?.(stage).code).toBe(0);
  });

  it.each(["planning", "building", "auditing"] as const)(
    "TS-11 TR-62 TR-66 closes the right domains while %s",
    (stance) => {
      const stage = openStage();
      stage.sekisho("stance", stance);
      const closed = Object.entries(USES).flatMap(([domain, use]) => (isClosed(use(stage)) ? [domain] : []));
      expect(closed.sort()).toEqual([...CLOSED[stance]].sort());
      const view = shown(stage);
      expect([...view.closed].sort()).toEqual([...CLOSED[stance]].sort());
      expect([...view.open, ...view.gated, ...view.closed].sort()).toEqual([...ALL].sort());
      expect(view.gated).toEqual(stance === "building" ? ["git_local", "shell_exec"] : []);
    },
  );

  it("TR-62 while planning git cannot change code: by a patch below docs/, a checkout, a move, a removal", () => {
    const stage = openStage();
    stage.write("src/app.ts", "a\n");
    stage.send("SessionStart", { source: "startup" });
    stage.sekisho("stance", "planning");
    const content = "--- a/src/app.ts\n+++ b/src/app.ts\n@@ -1 +1 @@\n-a\n+b\n";
    expect(stage.use("Write", { file_path: `${stage.project}/docs/p.patch`, content }).code).toBe(0);
    stage.write("docs/p.patch", content);
    for (const command of [
      "git apply docs/p.patch",
      "git am docs/p.patch",
      "git checkout HEAD -- src/app.ts",
      "git mv src/app.ts docs/app.md",
      "git rm src/app.ts",
    ]) {
      expect([command, isClosed(stage.bash(command))]).toEqual([command, true]);
    }
    for (const command of ["git add docs", "git commit -m plan", "git switch -c topic", "git diff"])
      expect([command, isClosed(stage.bash(command))]).toEqual([command, false]);
  });

  it("TS-11 TR-62 under the profile `oath` git cannot reach a remote while building", () => {
    const stage = openStage();
    stage.write(".sekisho/config.yaml", "profile: oath\n");
    expect(noticeOf(stage.send("SessionStart", { source: "startup" }))).toContain("the stance is BUILDING, by default");
    expect(shown(stage).closed).toEqual(["git_remote"]);
    expect(USES["git_remote"] && isClosed(USES["git_remote"](stage))).toBe(true);
    expect(stage.sekisho("stance").stdout).toMatch(/asked until trust is earned +git_local, shell_exec/);
  });

  it("TR-66 `stance.default` applies until a person sets a stance", () => {
    const stage = openStage();
    stage.write(".sekisho/config.yaml", "stance:\n  default: auditing\n");
    expect(shown(stage)).toMatchObject({ stance: "AUDITING", implicit: true });
    expect(USES["file_write"] && isClosed(USES["file_write"](stage))).toBe(true);
    stage.sekisho("stance", "building");
    expect(USES["file_write"]?.(stage).code).toBe(0);
  });
});

it("an agent may read the stance and the settings, and set neither", () => {
  const stage = openStage();
  for (const looks of ["sekisho stance", "sekisho stance --json", "sekisho config", "npx sekisho config get trust"])
    expect(stage.bash(looks).code, looks).toBe(0);
  for (const sets of [
    "sekisho stance building",
    "sekisho stance --json Building",
    "sekisho stance $WORD",
    "npx sekisho stance auditing",
    "sekisho config set trust.approve true",
    "sekisho config --scope user set trust.approve true",
    "sekisho config unset profile",
    "sekisho config $VERB profile oath",
    "tmux send-keys 'sekisho stance building' Enter",
    "echo 'sekisho config set profile balanced' | at now",
  ])
    expect(stage.bash(sets).code, sets).toBe(2);
  for (const words of [
    ["stance", "building"],
    ["config", "set", "language", "ja"],
    ["config", "unset", "language"],
  ]) {
    const answer = stage.run("/usr/bin/env", ["CLAUDECODE=1", program.node, program.bundle, ...words]);
    expectFailure(answer, /for people only/);
  }
});
