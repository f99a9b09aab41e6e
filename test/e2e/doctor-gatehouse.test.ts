/** The doctor with a real daemon broken on purpose: the doctor names the damage and repairs it. */
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { registrationIn } from "../../src/hosts/claude-code/registered.ts";
import type { CheckView, DoctorView } from "../../src/views/doctor.ts";
import { until } from "../until.ts";
import { endOf } from "./answer.ts";
import { copyOf, type Decision, decisionIn, endHouse, type House, housesOf, isAlive, openHouse } from "./house.ts";
import { answering, ofVersion, otherProgram, replaceBy, WAYS } from "./house-broken.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage } from "./stage.ts";

/** Asynchronous, because this process also plays the other program on the port. */
async function examined({ stage }: House, words: readonly string[] = [], files = program): Promise<DoctorView> {
  const args = [files.bundle, "doctor", "--json", "--quick", ...words];
  const child = spawn(files.node, args, { cwd: stage.project, env: stage.env });
  child.stdin.end();
  const { stdout, stderr } = await endOf(child);
  expect(stderr).toBe("");
  return JSON.parse(stdout) as DoctorView;
}

const gatehouseIn = ({ checks }: DoctorView): CheckView | undefined => checks.find(({ id }) => id === "gatehouse");

/** Sends a command to the gate that the settings file currently registers. */
async function atTheGate(house: House, command: string): Promise<Decision> {
  const gate = registrationIn(fs.readFileSync(house.settings, "utf8"))?.hooks.find(
    ({ event, hook }) => event === "PreToolUse" && hook["onFailure"] === "block",
  );
  const response = await fetch(String(gate?.hook["url"]), {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(gate?.hook["headers"] as Record<string, string>) },
    body: JSON.stringify({
      session_id: "s1",
      cwd: house.stage.project,
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: `gate-${command}`,
    }),
  });
  return decisionIn({ status: response.status, text: await response.text() });
}

describe.skipIf(forPeople.skip)(`doctor with the daemon broken on purpose${forPeople.why}`, () => {
  it.each(WAYS)("%s: the doctor reports it, and --fix repairs it", async (_, words, damage) => {
    const house = openHouse();
    await damage(house);
    const found = await examined(house);
    expect(gatehouseIn(found)).toMatchObject({ what: expect.stringMatching(words), canFix: true });
    expect(["warn", "fail"]).toContain(gatehouseIn(found)?.state);
    const after = await examined(house, ["--fix"]);
    expect(after.repaired).toContainEqual({ id: "gatehouse", ok: true, words: expect.any(String) });
    expect({ found: gatehouseIn(after)?.state, exit: after.exitCode }).toEqual({ found: "ok", exit: 0 });
    expect(await atTheGate(house, "git reset --hard")).toBe("deny");
    expect(await atTheGate(house, "ls")).toBe("pass");
    expect(JSON.stringify([found, after])).not.toContain(house.door.token);
    // Exactly one supervisor and one worker are left.
    await until(() => housesOf(house.stage).filter(isAlive).length === 2, "the end of what was broken");
  });

  it("a stopped worker: --fix does not wait until the supervisor notices", async () => {
    const house = openHouse();
    for (const pid of house.workers()) process.kill(pid, "SIGSTOP");
    const after = await examined(house, ["--fix"]);
    // Either the supervisor or the doctor repairs it first.
    expect(after.repaired.filter(({ id, ok }) => id === "gatehouse" && !ok)).toEqual([]);
    expect(after.exitCode).toBe(0);
    expect(await atTheGate(house, "git reset --hard")).toBe("deny");
    expect(await atTheGate(house, "ls")).toBe("pass");
  });

  it("a newer version is named and left alone: its own hooks would bring it back", async () => {
    const house = openHouse();
    await replaceBy(house, otherProgram(house, ofVersion("9.9.9")));
    await answering(house);
    const after = await examined(house, ["--fix"]);
    expect(gatehouseIn(after)).toMatchObject({ state: "warn", canFix: false, what: expect.stringContaining("9.9.9") });
    expect(await atTheGate(house, "git reset --hard")).toBe("deny");
    expect(await atTheGate(house, "ls")).toBe("pass");
  });

  it("a program without a working daemon is named and not reported as fixed", async () => {
    const stage = openStage();
    const own = copyOf(stage, "own");
    fs.copyFileSync(join(dirname(program.bundle), "manifest.json"), join(dirname(own.bundle), "manifest.json"));
    const house = openHouse(stage, own);
    fs.writeFileSync(join(dirname(own.bundle), "gatehouse.cjs"), "throw new Error('broken on purpose')");
    await endHouse(stage);
    const after = await examined(house, ["--fix"], own);
    expect(after.exitCode).toBe(2);
    expect(after.repaired).toContainEqual({
      id: "gatehouse",
      ok: false,
      words: expect.stringMatching(/does not start.*gatehouse\.log.*sekisho init --lane plain/),
    });
    expect(after.checks.find(({ id }) => id === "installed-files")).toMatchObject({
      state: "fail",
      what: expect.stringContaining("gatehouse.cjs"),
    });
    expect(fs.readFileSync(join(house.directory, "gatehouse.log"), "utf8")).toContain("broken on purpose");
  });
});
