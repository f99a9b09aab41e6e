/** Connections to the daemon that are used in unusual ways. */
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../until.ts";
import { decisionIn, isAlive, openFiles, openHouse, untilClosed } from "./house.ts";
import { expectUnharmed } from "./house-turn.ts";

describe("unusual connections", () => {
  it("a silent or endless one is closed and delays nothing", async () => {
    const house = openHouse();
    const [worker] = house.workers();
    const head = `POST /PreToolUse/any/x HTTP/1.1\r\nHost: 127.0.0.1:${house.door.port}\r\nAuthorization: Bearer ${house.door.token}\r\n`;
    const [silent, slowHead, slowBody] = [await house.line(), await house.line(), await house.line()];
    slowHead.write(head);
    slowBody.write(`${head}Content-Length: 1000\r\n\r\n{"session_id":"s1",`);
    const trickle = setInterval(() => {
      if (!slowHead.destroyed) slowHead.write("X-More: 1\r\n");
      if (!slowBody.destroyed) slowBody.write(" ");
    }, 200);
    onTestFinished(() => clearInterval(trickle));
    await expectUnharmed(house, worker);
    const ended = await Promise.all([silent, slowHead, slowBody].map(untilClosed));
    expect(ended.map((heard) => heard.includes(" 200 "))).toEqual([false, false, false]);
    await expectUnharmed(house, worker);
  });

  it("several requests on one connection are answered in order", async () => {
    const house = openHouse();
    const [worker] = house.workers();
    const one = (command: string, rest = ""): string => {
      const body = JSON.stringify({
        session_id: "s1",
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command },
      });
      return `POST /PreToolUse/any/x HTTP/1.1\r\nHost: 127.0.0.1:${house.door.port}\r\nAuthorization: Bearer ${house.door.token}\r\n${rest}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    };
    const line = await house.line();
    line.write(one("ls") + one("git reflog expire --all") + one("ls", "Connection: close\r\n"));
    const heard = await untilClosed(line);
    const answers = heard.split("HTTP/1.1 ").slice(1);
    expect(answers.map((answer) => [answer.slice(0, 3), answer.includes('"deny"')])).toEqual([
      ["200", false],
      ["200", true],
      ["200", false],
    ]);
    // With a length that is too short, the rest is taken for another, invalid request.
    const short = await house.line();
    short.write(one("ls").replace(/Content-Length: \d+/, "Content-Length: 5"));
    expect(await untilClosed(short)).toMatch(/HTTP\/1\.1 400/);
    await expectUnharmed(house, worker);
  });

  it("200 connections at once are all answered", async () => {
    const house = openHouse();
    const [worker] = house.workers();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const asked = Array.from({ length: 200 }, (_, at) =>
      house.bash(at % 2 === 0 ? "ls" : "git reflog expire --all", {}, { agent }),
    );
    const decisions = (await Promise.all(asked)).map(decisionIn);
    expect(decisions).toEqual(Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? "pass" : "deny")));
    await expectUnharmed(house, worker);
  });

  it("a process with a thousand connections gets no more, and a new worker inherits none of them", async () => {
    const house = openHouse();
    const [worker] = house.workers();
    const lines: Socket[] = [];
    let refused = 0;
    for (let at = 0; at < 1020; at++) {
      const line = await house.line();
      line.on("close", () => refused++);
      lines.push(line);
    }
    await until(() => refused > 0, "a line that is refused");
    process.kill(house.supervisor(), "SIGHUP");
    await until(() => house.workers().some((pid) => pid !== worker), "another worker");
    await until(
      () =>
        house.bash("git reflog expire --all").then(
          (said) => decisionIn(said) === "deny",
          () => false,
        ),
      "an answer",
    );
    for (const line of lines) line.destroy();
    await until(() => house.workers().length === 1, "the end of the other");
  });

  it("a connection that is closed half-way does no harm and is not leaked", async () => {
    const house = openHouse();
    const [worker = 0] = house.workers();
    const before = openFiles(worker);
    const log = `${house.directory}/gatehouse.log`;
    const logged = readFileSync(log, "utf8").length;
    for (let tries = 0; tries < 20; tries++) {
      const line = await house.line();
      line.write(
        `POST /PreToolUse/any/x HTTP/1.1\r\nHost: 127.0.0.1:${house.door.port}\r\nAuthorization: Bearer ${house.door.token}\r\nContent-Length: 99\r\n\r\n{"ses`,
      );
      line.destroy();
    }
    await until(() => openFiles(worker) <= before + 1, "the end of those lines");
    await expectUnharmed(house, worker);
    expect(isAlive(worker)).toBe(true);
    expect(readFileSync(log, "utf8").length).toBe(logged);
  });
});
