/** Many writers at once, some of them killed: what was acknowledged is there once, whole and in order. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage } from "./stage.ts";

const WRITERS = 20;
const EACH = 3;

/** Sends one message after the other and prints the id of each that was kept. */
const WRITER = `const { spawnSync } = require("node:child_process");
const [node, bundle, writer, each] = process.argv.slice(1);
for (let n = 0; n < Number(each); n++) {
  const id = "writer-" + writer + "-" + n;
  const text = id + " " + "x".repeat(n === 1 ? 5000 : 10);
  const { status } = spawnSync(node, [bundle, "inbox", "send", "lead", text, "--id", id]);
  if (status === 0) process.stdout.write(id + "\\n");
}`;

describe.skipIf(forPeople.skip)(`parallel writers${forPeople.why}`, () => {
  it("E2E-002 20 at once, every fourth of them killed", { timeout: 240_000 }, async () => {
    const stage = openStage();
    stage.write(".sekisho/config.yaml", "roles: { preset: lead }\n");
    const ends = Array.from({ length: WRITERS }, async (_, writer) => {
      const args = ["-e", WRITER, program.node, program.bundle, String(writer), String(EACH)];
      const child = spawn(program.node, args, { cwd: stage.project, env: stage.env, detached: true });
      let output = "";
      child.stdout.on("data", (data: Buffer) => {
        output += data.toString();
        // With its command, in the middle of the next message.
        if (writer % 4 === 0) process.kill(-(child.pid ?? 0), "SIGKILL");
      });
      await once(child, "close");
      return output.split("\n").filter((id) => id !== "");
    });
    const acknowledged = (await Promise.all(ends)).flat();
    const letters = JSON.parse(stage.sekisho("inbox", "list", "--for", "lead", "--json").stdout) as {
      id: string;
      body: string;
    }[];
    const there = letters.map(({ id }) => id);
    expect(acknowledged.length).toBeGreaterThanOrEqual(WRITERS * 0.75 * EACH);
    expect(acknowledged.filter((id) => !there.includes(id))).toEqual([]);
    expect(new Set(there).size).toBe(there.length);
    for (const { id, body } of letters) expect(body).toBe(`${id} ${"x".repeat(id.endsWith("-1") ? 5000 : 10)}`);
    for (let writer = 0; writer < WRITERS; writer++) {
      const own = there.filter((id) => id.startsWith(`writer-${writer}-`));
      expect(own).toEqual([...own].sort());
    }
    expect(stage.sekisho("audit", "verify").code).toBe(0);
  });
});
