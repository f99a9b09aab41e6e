import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { HOST, registrations } from "../../hosts/index.ts";
import { canary } from "./canary.ts";

const { slots } = registrations[HOST];

async function listening(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const gateAt = (port: number, timeout = 60) => {
  const program = { node: "/usr/bin/node", bundle: "/x/sekisho.cjs", door: { port, token: "t0ken" } };
  const [gate] = slots(["PreToolUse"], program, "fast");
  if (!gate) throw new Error("There is no gate.");
  return { ...gate, hook: { ...gate.hook, timeout } };
};
const DENY = JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" } });

describe("the canary sent to the daemon", () => {
  it("sends the token and a forbidden command, and succeeds on a refusal", async () => {
    let seen = "";
    const port = await listening((asked, answer) => {
      asked.on("data", (chunk: Buffer) => {
        seen += `${asked.method} ${asked.headers.authorization} ${chunk}`;
      });
      asked.on("end", () => answer.end(DENY));
    });
    expect(await canary(gateAt(port), "/tmp")).toBeUndefined();
    expect(seen).toMatch(/^POST Bearer t0ken .*"rm -rf \/"/);
  });

  it.each<[string, RequestListener, RegExp]>([
    ["lets it pass", (_, answer) => answer.end("{}"), /^it passed/],
    ["says nothing", (_, answer) => answer.end(), /^it passed/],
    ["is no JSON", (_, answer) => answer.end("deny"), /not the JSON/],
    ["refuses with the wrong code", (_, answer) => answer.writeHead(403).end(DENY), /status 403/],
    ["breaks off", (asked) => asked.socket.destroy(), /nobody answered/],
  ])("fails on an answer that %s", async (_, answer, words) => {
    expect(await canary(gateAt(await listening(answer)), "/tmp")).toMatch(words);
  });

  it("fails on an answer that never comes", async () => {
    expect(await canary(gateAt(await listening(() => undefined), 0.2), "/tmp")).toMatch(/timeout/i);
  });

  it("fails when nothing listens on the port", async () => {
    expect(await canary(gateAt(1), "/tmp")).toMatch(/nobody answered/);
  });
});
