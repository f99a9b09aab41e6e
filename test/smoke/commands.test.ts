/** The commands, each in its own process, as a person runs them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { slots } from "../../src/hosts/claude-code/hooks.ts";
import { noticeOf } from "../e2e/answer.ts";
import { endHouse } from "../e2e/house.ts";
import { forPeople } from "../e2e/machine.ts";
import { program } from "../e2e/program.ts";
import { clientOf, LOCAL, PLAIN, runWith, slotsIn } from "../e2e/registration.ts";
import { openStage, registeredEvents, type Stage } from "../e2e/stage.ts";
import { filesBelow } from "../files.ts";

const FORCED = "git push --force";
const open = (options: Parameters<typeof openStage>[0] = {}): Stage => openStage({ processes: "warm", ...options });

/** A session in which a command was refused, and the id of that refusal. */
function refused(): Stage & { readonly id: string } {
  const stage = open();
  stage.send("SessionStart", { source: "startup" });
  const { stderr } = stage.bash(FORCED);
  return { ...stage, id: /sekisho explain (\S+)/.exec(stderr)?.[1] ?? "" };
}

describe.skipIf(forPeople.skip)(`installation${forPeople.why}`, () => {
  it("init registers every hook and proves that one refuses; uninstall restores the file", () => {
    const stage = open({ registered: false });
    const before = '{ "model":"opus" }';
    stage.write(LOCAL, before);
    expect(stage.sekisho("init", ...PLAIN)).toMatchObject({ code: 0, stderr: "" });
    expect(slotsIn(stage.read(LOCAL))).toEqual(slots(registeredEvents, program));
    expect(stage.sekisho("uninstall").code).toBe(0);
    expect(stage.read(LOCAL)).toBe(before);
  });

  it("init on the fast lane starts the daemon; uninstall --purge stops it and removes all state", () => {
    const stage = open({ registered: false });
    onTestFinished(() => endHouse(stage));
    expect(runWith(stage, { claude: clientOf("2.1.325") }, "init", "--yes", "--lane", "fast").code).toBe(0);
    expect(stage.read(LOCAL)).toContain("http://127.0.0.1:");
    expect(stage.sekisho("uninstall", "--purge", "--yes").code).toBe(0);
    expect(filesBelow(stage.state)).toEqual([]);
  });

  it("init leaves a file alone that is no JSON", () => {
    const stage = open({ registered: false });
    stage.write(LOCAL, '{ "hooks": {,} }\n');
    expect(stage.sekisho("init", ...PLAIN)).toMatchObject({ code: 1, stdout: "" });
    expect(stage.read(LOCAL)).toBe('{ "hooks": {,} }\n');
  });

  it("doctor finds an installation in order, names what is broken, and repairs it", () => {
    const stage = open();
    expect(stage.sekisho("doctor", "--quick").code).toBe(0);
    stage.write(LOCAL, (stage.read(LOCAL) ?? "").replace('"ConfigChange"', '"Setup"'));
    expect(stage.sekisho("doctor", "--quick").code).toBe(2);
    expect(stage.sekisho("doctor", "--quick", "--fix").code).toBe(0);
    expect(slotsIn(stage.read(LOCAL))).toEqual(slots(registeredEvents, program));
    expect(readdirSync(join(stage.root, "tmp"))).toEqual([]);
  });

  it("upgrade points the hooks at a kept copy, and back", () => {
    const stage = open();
    const before = stage.read(LOCAL) ?? "";
    expect(stage.sekisho("upgrade", "--to", "this").code).toBe(0);
    expect(stage.read(LOCAL)).toContain(join(stage.state, "sekisho/versions"));
    expect(stage.sekisho("upgrade", "--back").code).toBe(0);
    expect(stage.read(LOCAL)).toBe(before);
  });
});

describe("looking back", () => {
  it("audit, explain and status show a refusal", () => {
    const stage = refused();
    expect(stage.sekisho("audit").stdout).toContain(FORCED);
    expect(stage.sekisho("explain", stage.id).stdout).toMatch(/^DENY.*no-destructive-command/s);
    expect(JSON.parse(stage.sekisho("status", "--json").stdout)).toMatchObject({ verdicts: { deny: 1 } });
    expect(stage.sekisho("audit", "verify").code).toBe(0);
  });

  it("judge gives the verdict of the gate", () => {
    const stage = open();
    expect(stage.sekisho("judge", "rm -rf ~").code).toBe(2);
    expect(stage.sekisho("judge", "ls").code).toBe(0);
  });

  it("an unknown command, option or id is an error on standard error", () => {
    const stage = open();
    for (const words of [["frobnicate"], ["audit", "--frobnicate"], ["explain", "zzz"]])
      expect(stage.sekisho(...words)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/\S/) });
  });

  it("the documents of the policies are up to date", () => {
    const document = readFileSync(join(import.meta.dirname, "../../docs/policies.md"), "utf8");
    expect(open().sekisho("policies", "--markdown").stdout).toBe(document);
  });
});

describe.skipIf(forPeople.skip)(`what a person allows${forPeople.why}`, () => {
  it("allow lets one use of exactly that command pass", () => {
    const { id, bash, sekisho } = refused();
    expect(sekisho("allow", id, "--once").code).toBe(0);
    expect(bash(`${FORCED} origin main`).code).toBe(2);
    expect([bash(FORCED).code, bash(FORCED).code]).toEqual([0, 2]);
  });

  it("pause lets everything pass except the floor, until resume", () => {
    const stage = refused();
    expect(stage.sekisho("pause", "--for", "5m").code).toBe(0);
    expect([stage.bash(FORCED).code, stage.bash("rm -rf /").code]).toEqual([0, 2]);
    expect(noticeOf(stage.send("UserPromptSubmit", { prompt: "go on" }))).toContain("paused");
    expect(stage.sekisho("resume").code).toBe(0);
    expect(stage.bash(FORCED).code).toBe(2);
  });

  it("an agent cannot allow, pause or uninstall, by its own process or at the gate", () => {
    const stage = refused();
    for (const words of [["allow", stage.id], ["pause"], ["uninstall"]]) {
      const agent = stage.run("env", ["CLAUDECODE=1", program.node, program.bundle, ...words]);
      expect(agent).toMatchObject({ code: 1, stderr: expect.stringContaining("for people only") });
      expect(stage.bash(`sekisho ${words.join(" ")}`).code).toBe(2);
    }
  });
});
