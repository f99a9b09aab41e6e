/** What the turns of a session do for the gatehouse: bring it back, or do without it, and never keep anybody waiting. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyOf, endHouse, housesOf, openHouse, turnCommand, until } from "./house.ts";
import { takePort, turn } from "./house-turn.ts";
import { endOf, noticeOf, openStage } from "./stage.ts";

describe("a turn of the session", () => {
  it("finds it down and starts it; a Stop is held once, and the session's input is not lost", async () => {
    const house = openHouse();
    endHouse(house.stage);
    const stopped = house.turn("Stop", { last_assistant_message: "done" });
    expect(stopped.code).toBe(0);
    expect(JSON.parse(stopped.stdout)).toMatchObject({ decision: "block", reason: expect.stringMatching(/up again/) });
    expect(housesOf(house.stage).length).toBe(2);
    expect(house.turn("Stop").stdout).toBe("");
    const events = house.stage.audit().map(({ event, session_id: session, unbound }) => [event, session, unbound]);
    expect(events).toEqual([
      ["SessionStart", "s1", false],
      ["Stop", "s1", false],
      ["Stop", "s1", false],
    ]);
  });

  it("reads an input larger than any pipe, and one that comes late, after it has started the gatehouse", async () => {
    const house = openHouse();
    endHouse(house.stage);
    const prompt = "go on ".repeat(200_000);
    expect((await turn(house, { prompt })).code).toBe(0);
    expect(house.stage.audit().filter(({ kind }) => kind === "fault")).toEqual([]);
    expect(house.stage.audit().at(-1)).toMatchObject({ event: "UserPromptSubmit", session_id: "s1", unbound: false });
    endHouse(house.stage);
    const [name, ...args] = turnCommand("Stop", house.door);
    const child = spawn(name, args, { cwd: house.stage.project, env: house.stage.env });
    await until(() => housesOf(house.stage).length > 0, "the start");
    child.stdin.end(JSON.stringify({ session_id: "s1", hook_event_name: "Stop" }));
    expect((await endOf(child)).stdout).toContain("up again");
  });

  it("whose door was taken away says so, and goes back to the plain lane", async () => {
    const house = openHouse();
    rmSync(join(house.directory, "door.json"));
    const { notice } = await turn(house);
    expect(notice).toMatch(/moved to the plain lane/);
    expect(readFileSync(house.settings, "utf8")).not.toContain("http://");
  });

  it("whose door was exchanged, key or port, does not take the new one for its own", async () => {
    for (const change of [{ key: "k".repeat(43) }, { port: 0 }, { token: "t".repeat(32) }]) {
      const house = openHouse();
      const path = join(house.directory, "door.json");
      const door = JSON.parse(readFileSync(path, "utf8"));
      const port = "port" in change ? { port: house.door.port === 31_999 ? 20_000 : house.door.port + 1 } : {};
      writeFileSync(path, JSON.stringify({ ...door, ...change, ...port }));
      const { notice } = await turn(house);
      expect(notice).toMatch(/moved to the plain lane/);
      expect(readFileSync(house.settings, "utf8")).not.toContain("http://");
      expect(house.stage.bash("git reset --hard").code).toBe(2);
    }
  });

  it("that can neither start it nor write anything still answers, and says what is wrong", async () => {
    const stage = openStage();
    const copy = copyOf(stage, "copy");
    const house = openHouse(stage, copy);
    endHouse(stage);
    writeFileSync(join(dirname(copy.bundle), "gatehouse.cjs"), "throw new Error('broken')");
    const [name, ...args] = turnCommand("Stop", house.door, copy);
    const child = spawn(name, args, { cwd: stage.project, env: stage.env });
    const began = performance.now();
    child.stdin.end(JSON.stringify({ session_id: "s1", hook_event_name: "Stop" }));
    const answer = await endOf(child);
    // The client would wait for fifteen seconds.
    expect(performance.now() - began).toBeLessThan(12_000);
    expect(answer.code).toBe(0);
    expect(noticeOf(answer)).toMatch(/moved to the plain lane/);
  });

  it("whose supervisor is stopped does without it", async () => {
    const house = openHouse();
    process.kill(house.supervisor(), "SIGSTOP");
    const { notice, code } = await turn(house);
    expect(code).toBe(0);
    expect(notice).toMatch(/moved to the plain lane/);
    expect(house.stage.bash("git reset --hard").code).toBe(2);
  });

  it("without its helper still judges the event", () => {
    const stage = openStage();
    const copy = copyOf(stage, "copy");
    const house = openHouse(stage, copy);
    rmSync(join(dirname(copy.bundle), "watch.cjs"));
    const answer = house.turn("UserPromptSubmit", { prompt: "go on" });
    expect(answer.code).toBe(0);
    expect(noticeOf(answer)).toMatch(/gatehouse is down/);
    expect(stage.audit().at(-1)).toMatchObject({ event: "UserPromptSubmit", unbound: false });
  });

  it("rewrites no settings that it cannot read, and hangs on none that is a pipe", async () => {
    const house = openHouse();
    const user = join(house.stage.home, ".claude");
    mkdirSync(user, { recursive: true });
    house.stage.run("mkfifo", [join(user, "settings.json")]);
    const broken = '{"hooks": {"PreToolUse": [';
    writeFileSync(join(user, "settings.local.json"), broken);
    await takePort(house, (_request, response) => void response.end("{}"));
    const { code } = await turn(house);
    expect(code).toBe(0);
    expect(readFileSync(house.settings, "utf8")).not.toContain("http://");
    expect(readFileSync(join(user, "settings.local.json"), "utf8")).toBe(broken);
    expect(existsSync(join(user, "settings.json"))).toBe(true);
  });
});
