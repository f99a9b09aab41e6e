/** Tests that need something this machine may not allow. */
import { HOST, hostMarks } from "../../src/hosts/index.ts";
import { agentAbove } from "../../src/world/machine/agent-above.ts";

/** Commands for people refuse to run below an agent's process, so their tests are skipped there. */
const agent = agentAbove(hostMarks[HOST], process.env, process.pid);
export const forPeople = { skip: agent !== undefined, why: agent === undefined ? "" : ` (skipped: ${agent})` };
export const mounting = {
  skip: process.geteuid?.() !== 0 || process.platform !== "linux",
  why: process.geteuid?.() !== 0 ? " (skipped: only root can mount)" : "",
};
