import { afterAll, beforeAll, expect, it } from "vitest";
import { tempDirectory } from "../../test/temp.ts";
import { agentHere, type Demand } from "../app/admission.ts";
import { noTampering } from "../policies/access/tampering/no-tampering.ts";
import { verdictOf } from "../policies/describe-policy.ts";
import { bash } from "../policies/example.ts";
import { demandOf } from "./command.ts";
import { COMMANDS } from "./index.ts";

type Need = Demand["need"] | "open";

/** Every command, with the arguments that change what it may do. */
const LINES: readonly (readonly [string, Need])[] = [
  ["allow m1 --once", "authority"],
  ["accept", "open"],
  ["accept m1", "authority"],
  ["accept m1 --drop", "presence"],
  ["audit", "open"],
  ["audit verify", "open"],
  ["audit prune", "authority"],
  ["cancel", "authority"],
  ["certificate", "open"],
  ["config", "open"],
  ["config get x", "open"],
  ["config validate", "open"],
  ["config set profile oath", "authority"],
  ["config unset profile", "authority"],
  ["demo", "open"],
  ["doctor", "open"],
  ["doctor --fix", "authority"],
  ["doctor --integrity --accept", "authority"],
  ["down", "authority"],
  ["evidence", "open"],
  ["explain", "open"],
  ["export trust-scores", "open"],
  ["export trust-scores --out f", "presence"],
  ["guard", "open"],
  ["guard list", "open"],
  ["guard trust x", "authority"],
  ["guard forget x", "authority"],
  ["handover", "open"],
  ["import f", "authority"],
  ["import f --dry-run", "presence"],
  ["init --yes", "authority"],
  ["judge x", "open"],
  ["load", "open"],
  ["mode", "open"],
  ["mode start qa", "open"],
  ["mode start qa --session s", "presence"],
  ["mode stop qa", "authority"],
  ["pause", "authority"],
  ["policies", "open"],
  ["report", "open"],
  ["resume", "presence"],
  ["revoke m1", "presence"],
  ["rules", "open"],
  ["save", "open"],
  ["save --file f", "presence"],
  ["serve", "open"],
  ["state", "open"],
  ["stance", "open"],
  ["stance auditing", "presence"],
  ["stance planning", "presence"],
  ["stance building", "authority"],
  ["stance nonsense", "authority"],
  ["status", "open"],
  ["statusline", "open"],
  ["trust", "open"],
  ["try", "open"],
  ["undo", "open"],
  ["undo --force", "authority"],
  ["uninstall", "authority"],
  ["up", "presence"],
  ["upgrade", "open"],
  ["upgrade --to this", "authority"],
  ["pipeline", "open"],
  ["pipeline run bug-fix", "presence"],
  ["pipeline run bug-fix --dry-run", "presence"],
  ["pipeline resume r", "presence"],
  ["pipeline approve r", "authority"],
  ["pipeline reject r", "authority"],
  ["pipeline cancel r", "open"],
  ["pipeline status", "open"],
  ["playbook", "open"],
  ["playbook lint button", "open"],
  ["playbook new button", "open"],
  ["playbook approve button", "authority"],
  ["playbook adopt tasks.md", "authority"],
  ["playbook check button", agentHere() === undefined ? "authority" : "open"],
  ["playbook start button", "open"],
  ["playbook step 1", "open"],
  ["playbook step 1 done", agentHere() === undefined ? "authority" : "open"],
  ["playbook review button", "open"],
  ["playbook close button", "presence"],
  ["playbook archive button", "open"],
  ["inbox", "open"],
  ["inbox send lead import it", "open"],
  ["inbox ack m1", "open"],
  ["inbox ack m1 --for lead", "presence"],
  ["inbox list --for lead", "presence"],
  ["inbox import f", "presence"],
  ["task", "open"],
  ["task add x", "open"],
  ["task done t1", "open"],
  ["task done t1 --force reason", "presence"],
  ["agents", "open"],
  ["upgrade --back", "authority"],
  ["verify", agentHere() === undefined ? "signature" : "open"],
];

/** Open to anybody who runs it, but not for an agent to ask for: starting these is not its work. */
const NOT_FOR_AGENTS = /^(?:accept|serve|upgrade)$/;

const before = { HOME: process.env["HOME"], XDG_STATE_HOME: process.env["XDG_STATE_HOME"] };
const home = tempDirectory("person");
beforeAll(() => {
  Object.assign(process.env, { HOME: home, XDG_STATE_HOME: `${home}/state` });
});
afterAll(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

it.each(LINES)("sekisho %s: %s", (line, need) => {
  const [name, ...args] = line.split(" ");
  const command = COMMANDS.find((one) => one.name === name);
  expect(command && (demandOf(command, args)?.need ?? "open")).toBe(need);
});

it("knows every command", () => {
  const known = new Set(LINES.map(([line]) => line.split(" ")[0]));
  expect(COMMANDS.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
});

/** An agent may run these too: what it says by them is only a claim, or is seen by its hooks. */
const FOR_BOTH: readonly string[] = ["verify", "playbook check button", "playbook step 1 done"];

it.each(FOR_BOTH)("an agent's `sekisho %s` passes", (line) => {
  expect(verdictOf(noTampering, bash(`sekisho ${line}`)).decision).toBe("pass");
});

it.each(LINES.filter(([line]) => !FOR_BOTH.includes(line)))(
  "an agent's `sekisho %s` is refused where it needs a person",
  (line, need) => {
    const { decision } = verdictOf(noTampering, bash(`sekisho ${line}`));
    expect(decision).toBe(need === "open" && !NOT_FOR_AGENTS.test(line) ? "pass" : "deny");
  },
);
