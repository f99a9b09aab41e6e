/** Many events through one hook process: the plain lane as the launcher runs it, with what it writes caught. */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Answer, endOf, program, type Stage } from "./stage.ts";

export interface DrivenEvent {
  readonly event: string;
  readonly harmless: boolean;
  readonly body: string;
}

const DRIVER = `
const fs = require("node:fs"), path = require("node:path");
const lane = { exports: require(path.join(process.argv[2], "hook.cjs")) };
const { writeSync } = fs;
let out;
fs.writeSync = (fd, bytes, ...rest) => (fd > 2 ? writeSync(fd, bytes, ...rest) : ((out[fd] += bytes.toString()), bytes.length));
const answers = fs.readFileSync(0, "utf8").split("\\n").filter(Boolean).map((line) => {
  const { event, harmless, body } = JSON.parse(line);
  out = { 1: "", 2: "" };
  const code = lane.exports.run({ args: [event, ...(harmless ? ["harmless"] : [])], bundle: path.join(process.argv[2], "sekisho.cjs"), body });
  return JSON.stringify({ code, stdout: out[1], stderr: out[2] });
});
writeSync(1, answers.join("\\n"));
`;

export async function drive(stage: Stage, events: readonly DrivenEvent[]): Promise<readonly Answer[]> {
  const driver = join(stage.root, "driver.cjs");
  // Once: another of them may be reading it.
  if (!existsSync(driver)) writeFileSync(driver, DRIVER);
  const child = spawn(program.node, [driver, dirname(program.bundle)], { cwd: stage.project, env: stage.env });
  const ended = endOf(child);
  child.stdin.end(events.map((event) => JSON.stringify(event)).join("\n"));
  const { code, stdout, stderr } = await ended;
  if (code !== 0 || stderr !== "") throw new Error(`The driver ended with ${code}: ${stderr}`);
  return stdout.split("\n").map((line) => JSON.parse(line) as Answer);
}
