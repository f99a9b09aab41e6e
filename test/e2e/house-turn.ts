/** Helpers for the tests of the daemon: asynchronous turns, and other programs on its port. */
import { spawn } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import { expect, onTestFinished } from "vitest";
import { until } from "../until.ts";
import { endOf, noticeOf } from "./answer.ts";
import { decisionIn, endHouse, type House, turnCommand } from "./house.ts";

/** Listens on the daemon's port in its place. */
export async function takePort(house: House, listener: RequestListener): Promise<void> {
  await endHouse(house.stage);
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        server.once("error", () => resolve(false));
        server.listen(house.door.port, "127.0.0.1", () => resolve(true));
      }),
    "the port",
  );
}

/** Asynchronous, so that a server in this process can answer meanwhile. */
export async function turn(
  house: House,
  fields: object = {},
): Promise<{ readonly notice: string; readonly code: number | null }> {
  const [name, ...args] = turnCommand("UserPromptSubmit", house.door);
  const child = spawn(name, args, { cwd: house.stage.project, env: house.stage.env });
  child.stdin.end(
    JSON.stringify({
      session_id: "s1",
      cwd: house.stage.project,
      hook_event_name: "UserPromptSubmit",
      prompt: "go",
      ...fields,
    }),
  );
  const answer = await endOf(child);
  return { notice: noticeOf(answer), code: answer.code };
}

export async function expectUnharmed(house: House, worker: number | undefined): Promise<void> {
  expect(decisionIn(await house.bash("git reset --hard"))).toBe("deny");
  expect(decisionIn(await house.bash("ls"))).toBe("pass");
  expect(house.workers()).toEqual([worker]);
}
