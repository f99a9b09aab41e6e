import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { doorOf, type Gate } from "./app.ts";

const identity = { version: "1.0.0", build: "b", pid: 1, supervisor: 2 };

/** A server behind the door, and a way to ask it. */
async function open(given: Partial<Gate> = {}) {
  let port = 0;
  const gate = {
    token: "t",
    key: "k",
    identity,
    isLeaving: () => false,
    answer: () => "",
    seenOf: () => ({ since: 0, of: {} }),
    ...given,
  };
  const server = createServer((asked, response) => doorOf({ ...gate, port })(asked, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  port = (server.address() as AddressInfo).port;
  return (method: string, path: string, body = "") =>
    new Promise<{ status: number | undefined; connection: string | undefined; type: string | undefined; text: string }>(
      (resolve, reject) => {
        const headers = { authorization: "Bearer t" };
        const sent = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
          const { connection, "content-type": type } = response.headers;
          let text = "";
          response.on("data", (chunk) => {
            text += chunk;
          });
          response.on("end", () => resolve({ status: response.statusCode, connection, type, text }));
        });
        sent.on("error", reject);
        sent.end(body);
      },
    );
}

it("hands an event to the hall and its answer back, whatever the query says", async () => {
  const ask = await open({ answer: ({ event, gate, body }) => JSON.stringify([event, gate, body]) });
  const path = "/PreToolUse/harmless/x";
  for (const asked of [path, `${path}?a=/b`]) {
    expect((await ask("POST", asked, "関所")).text).toBe('["PreToolUse","harmless","関所"]');
  }
  for (const other of ["/", "//x/y", `${path}/`, `/a${path}`, "/PreToolUse/harmless", "/PreToolUse/harmless/"]) {
    expect((await ask("POST", other)).status, other).toBe(404);
  }
});

it("says nothing as an empty object", async () => {
  const ask = await open();
  expect(await ask("POST", "/Stop/any/x")).toMatchObject({ status: 200, text: "{}", type: "application/json" });
});

it("answers a hall that fails with 500, and the next one as ever", async () => {
  let calls = 0;
  const answer = (): string => {
    if (calls++ === 0) throw new Error("a bug");
    return "";
  };
  const ask = await open({ answer });
  expect(await ask("POST", "/Stop/any/x")).toMatchObject({ status: 500, text: "that could not be answered" });
  expect((await ask("POST", "/Stop/any/x")).status).toBe(200);
});

it("asks for the end of the connection when another worker has taken over", async () => {
  const ask = await open({ isLeaving: () => true });
  for (const [method, path] of [
    ["POST", "/Stop/any/x"],
    ["GET", `/challenge/${"ab".repeat(16)}`],
    ["GET", "/"],
  ] as const)
    expect((await ask(method, path)).connection, path).toBe("close");
});
