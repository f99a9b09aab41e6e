/** What the tests of the gatehouse do to it: turns while the test itself goes on, strangers in its place. */
import { spawn } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import { expect, onTestFinished } from "vitest";
import { decisionIn, endHouse, type House, turnCommand, until } from "./house.ts";
import { endOf, noticeOf } from "./stage.ts";

/** Takes the port the gatehouse had. */
export async function takePort(house: House, listener: RequestListener): Promise<void> {
  endHouse(house.stage);
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

/** The same turn while this process goes on: whoever plays the stranger must be able to answer. */
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

/** Whatever was done to it: the same worker answers the next one. */
export async function expectUnharmed(house: House, worker: number | undefined): Promise<void> {
  expect(decisionIn(await house.bash("git reset --hard"))).toBe("deny");
  expect(decisionIn(await house.bash("ls"))).toBe("pass");
  expect(house.workers()).toEqual([worker]);
}
