/** How the turns of a session restart the daemon or do without it, without delaying the host. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../until.ts";
import { endOf, noticeOf } from "./answer.ts";
import { copyOf, endHouse, housesOf, openHouse, turnCommand } from "./house.ts";
import { takePort, turn } from "./house-turn.ts";
import { openStage } from "./stage.ts";

describe("a turn of the session", () => {
  it("starts a daemon that is down; a Stop is refused once, and its input is not lost", async () => {
    const house = openHouse();
    await endHouse(house.stage);
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

  it("reads input larger than a pipe's buffer, and input that comes late, after starting the daemon", async () => {
    const house = openHouse();
    await endHouse(house.stage);
    const prompt = "go on ".repeat(200_000);
    expect((await turn(house, { prompt })).code).toBe(0);
    expect(house.stage.audit().filter(({ kind }) => kind === "fault")).toEqual([]);
    expect(house.stage.audit().at(-1)).toMatchObject({ event: "UserPromptSubmit", session_id: "s1", unbound: false });
    await endHouse(house.stage);
    const [name, ...args] = turnCommand("Stop", house.door);
    const child = spawn(name, args, { cwd: house.stage.project, env: house.stage.env });
    await until(() => housesOf(house.stage).length > 0, "the start");
    child.stdin.end(JSON.stringify({ session_id: "s1", hook_event_name: "Stop" }));
    expect((await endOf(child)).stdout).toContain("up again");
  });

  it("without door.json says so and goes back to the plain lane", async () => {
    const house = openHouse();
    rmSync(join(house.directory, "door.json"));
    const { notice } = await turn(house);
    expect(notice).toMatch(/moved to the plain lane/);
    expect(readFileSync(house.settings, "utf8")).not.toContain("http://");
  });

  it("does not accept a replaced door.json with another key, port or token", async () => {
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

  it("that cannot start the daemon still answers and says what is wrong", async () => {
    const stage = openStage();
    const copy = copyOf(stage, "copy");
    const house = openHouse(stage, copy);
    const msOfTurn = (): number => {
      const began = performance.now();
      expect(house.turn("UserPromptSubmit", { prompt: "go on" }).code).toBe(0);
      return performance.now() - began;
    };
    const ordinary = msOfTurn();
    await endHouse(stage);
    writeFileSync(join(dirname(copy.bundle), "gatehouse.cjs"), "throw new Error('broken')");
    const began = performance.now();
    const answer = house.turn("Stop");
    // The host's timeout is fifteen seconds; a busy machine needs more for the same work.
    expect(performance.now() - began).toBeLessThan(10_000 + 20 * ordinary);
    expect(answer.code).toBe(0);
    expect(noticeOf(answer)).toMatch(/moved to the plain lane/);
  });

  it("works without the daemon when its supervisor is stopped", async () => {
    const house = openHouse();
    process.kill(house.supervisor(), "SIGSTOP");
    const { notice, code } = await turn(house);
    expect(code).toBe(0);
    expect(notice).toMatch(/moved to the plain lane/);
    expect(house.stage.bash("git reset --hard").code).toBe(2);
  });

  it("without watch.cjs still judges the event", () => {
    const stage = openStage();
    const copy = copyOf(stage, "copy");
    const house = openHouse(stage, copy);
    rmSync(join(dirname(copy.bundle), "watch.cjs"));
    const answer = house.turn("UserPromptSubmit", { prompt: "go on" });
    expect(answer.code).toBe(0);
    expect(noticeOf(answer)).toMatch(/gatehouse is down/);
    expect(stage.audit().at(-1)).toMatchObject({ event: "UserPromptSubmit", unbound: false });
  });

  it("does not rewrite unreadable settings and does not block on a pipe", async () => {
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
