/** The daemon's HTTP interface: who is let in, and how malformed requests are handled. */
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { decisionIn, openHouse } from "./house.ts";
import { expectUnharmed } from "./house-turn.ts";

describe("access to the daemon", () => {
  it("requires the token and the exact Host, and no Origin", async () => {
    const house = openHouse();
    const [worker] = house.workers();
    const { token, port } = house.door;
    const fields = { tool_name: "Bash", tool_input: { command: "ls" } };
    const statusOf = async (headers: Record<string, string>): Promise<number> =>
      (await house.post("PreToolUse", fields, { headers })).status;
    expect(await statusOf({ Authorization: "" })).toBe(401);
    expect(await statusOf({ Authorization: `Bearer ${"x".repeat(token.length)}` })).toBe(401);
    expect(await statusOf({ Authorization: `Bearer ${token}x` })).toBe(401);
    expect(await statusOf({ Authorization: `bearer ${token}` })).toBe(401);
    expect(await statusOf({ Authorization: token })).toBe(401);
    expect(await statusOf({ Authorization: `Bearer ${token.toLowerCase()}` })).toBe(401);
    expect(await statusOf({ Host: "evil.example" })).toBe(403);
    expect(await statusOf({ Host: `evil.example:${port}` })).toBe(403);
    expect(await statusOf({ Host: `localhost:${port}` })).toBe(403);
    expect(await statusOf({ Origin: "http://evil.example" })).toBe(403);
    expect(await statusOf({ Origin: "null" })).toBe(403);
    expect(await statusOf({})).toBe(200);
    await expectUnharmed(house, worker);
  });

  it("is limited to POST at a gate, and no request changes the daemon", async () => {
    const house = openHouse();
    const [worker] = house.workers();
    for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"]) {
      expect((await house.postBytes("PreToolUse", "", { method })).status).toBe(404);
    }
    for (const path of ["/", "/stop", "/reload", "/PreToolUse", "/PreToolUse/any", "/a/b/c/d", "/..%2f..%2fetc/x"]) {
      expect((await house.postBytes("PreToolUse", "{}", { path })).status).toBe(404);
    }
    for (const nonce of ["", "zz", "ab", "a".repeat(31), "a".repeat(65), "A".repeat(32)]) {
      const { status } = await house.postBytes("", "", { method: "GET", path: `/challenge/${nonce}` });
      expect([400, 404]).toContain(status);
    }
    await expectUnharmed(house, worker);
  });

  it("lets an unknown event pass", async () => {
    const house = openHouse();
    expect(decisionIn(await house.postBytes("NoSuchEvent", ""))).toBe("pass");
    const unknown = await house.post("PreToolUse", { hook_event_name: "NoSuchEvent" });
    expect(unknown).toEqual({ status: 200, text: "{}" });
  });
});

describe("a malformed body", () => {
  const BROKEN: readonly (readonly [string, string | Uint8Array])[] = [
    ["empty", ""],
    ["blank", " \n\t"],
    ["cut off", '{"session_id":"s1","hook_event_name":"PreToolUse","tool_name":"Bash","tool_inp'],
    ["an array", "[]"],
    ["null", "null"],
    ["a number", "7"],
    ["NUL", "\0"],
    ["invalid UTF-8", Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x80)],
    ["a lone BOM", "\ufeff"],
    ["without a tool", '{"session_id":"s1"}'],
    ["brackets", "[".repeat(100_000)],
    ["10 MB of nothing", "x".repeat(10_000_000)],
  ];
  const GATES = [
    ["PreToolUse", "change"],
    ["PreToolUse", "harmless"],
    ["PostToolUse", "change"],
    ["PostToolBatch", "change"],
  ] as const;

  it("gets the same answer as on the plain lane, at every gate", async () => {
    const house = openHouse();
    const [worker] = house.workers();
    for (const [name, body] of BROKEN) {
      for (const [event, gate] of GATES) {
        const plain = house.stage.sendBytes(event, body, { gate });
        const path = `/${event}/${gate === "harmless" ? gate : "any"}/x`;
        const { text } = await house.postBytes(event, body, { path });
        const reason = JSON.parse(text)?.hookSpecificOutput?.permissionDecisionReason as string | undefined;
        const fast = reason === undefined ? { stdout: text, stderr: "" } : { stdout: "{}", stderr: `${reason}\n` };
        expect({ name, event, gate, ...fast }).toEqual({
          name,
          event,
          gate,
          stdout: plain.stdout || "{}",
          stderr: plain.stderr,
        });
        if (event === "PreToolUse") expect(plain.code).toBe(gate === "change" ? 2 : 0);
      }
    }
    await expectUnharmed(house, worker);
  });

  it("a valid body of 10 MB is read, with or without a byte order mark", async () => {
    const house = openHouse();
    const [worker] = house.workers();
    const content = "x".repeat(10_000_000);
    const write = { tool_name: "Write", tool_input: { file_path: `${house.stage.project}/a`, content } };
    expect(decisionIn(await house.post("PreToolUse", write))).toBe("pass");
    const forbidden = { tool_name: "Bash", tool_input: { command: "git reset --hard" }, session_id: "s1" };
    expect(decisionIn(await house.postBytes("PreToolUse", `\ufeff${JSON.stringify(forbidden)}`))).toBe("deny");
    await expectUnharmed(house, worker);
  });

  it("a command that takes too long to parse is refused in time and delays nothing after it", async () => {
    const house = openHouse();
    const [worker] = house.workers();
    const long = await house.bash(`echo ${"$(( ".repeat(200_000)}`);
    expect(decisionIn(long)).not.toBe("pass");
    await expectUnharmed(house, worker);
  });

  it("a body over 64 MiB is rejected, whether its length is announced or not", async () => {
    const house = openHouse();
    const [worker] = house.workers();
    const head = (rest: string): string =>
      `POST /PreToolUse/any/x HTTP/1.1\r\nHost: 127.0.0.1:${house.door.port}\r\nAuthorization: Bearer ${house.door.token}\r\n${rest}\r\n\r\n`;
    const told = await house.line();
    told.write(head(`Content-Length: ${65 * 1024 * 1024}`));
    expect(await firstAnswer(told)).toMatch(/^HTTP\/1\.1 413/);
    const chunked = await house.line();
    chunked.write(head("Transfer-Encoding: chunked"));
    const mega = "x".repeat(1024 * 1024);
    const answered = firstAnswer(chunked);
    for (let sent = 0; sent < 66 && !chunked.destroyed; sent++) {
      if (!chunked.write(`100000\r\n${mega}\r\n`)) {
        await Promise.race([new Promise((resolve) => chunked.once("drain", resolve)), answered]);
      }
    }
    chunked.write("0\r\n\r\n");
    expect(await answered).toMatch(/^(?:HTTP\/1\.1 413|closed)/);
    await expectUnharmed(house, worker);
  });
});

/** The first bytes of the response, or `closed`. */
function firstAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once("data", (chunk) => resolve(chunk.toString("latin1")));
    socket.once("close", () => resolve("closed"));
  });
}
