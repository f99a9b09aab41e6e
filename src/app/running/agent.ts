/** Runs the agent of a pass. Its result line and its hook events decide what it did, not its exit code. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HeadlessEnd } from "../../hosts/headless.ts";
import type { Program } from "../../hosts/registration.ts";
import { own } from "../../lib/keyed.ts";
import { registeredEvents } from "../../policies/index.ts";
import type { Cause, Used } from "../../state/runs/records.ts";
import { headless, setup } from "../host.ts";
import { orFail } from "../project.ts";
import { type Fault, sizeOf, tailOf } from "./commands.ts";
import type { Pass } from "./piece.ts";
import { promptOf, VERDICT } from "./prompt.ts";

interface Ended {
  readonly used: Omit<Used, "ms">;
  readonly said?: string;
  readonly verdict?: "go" | "conditional";
}

export type AgentEnd = Ended & { readonly fault?: Fault };

/** What an agent of a run may use if its step says nothing. */
const TOOLS = ["Bash", "Read", "Edit", "Write", "Glob", "Grep"];
const READING_TOOLS = ["Read", "Glob", "Grep"];
const OUTPUT_BYTES = 20_000_000;

export async function runAgent(pass: Pass): Promise<AgentEnd> {
  const { here, move, guard, log, root, env, session } = pass;
  const { step } = move.node;
  const settings = headless.settings(registeredEvents, onPlainLane(here.program));
  if ("problem" in settings) return { used: { usd: 0 }, fault: { cause: "ungoverned", why: settings.problem } };
  const settingsFile = join(pass.directory, "settings.json");
  writeFileSync(settingsFile, settings.text, { mode: 0o600 });
  const isJudge = step.type === "gate";
  const args = headless.args({
    prompt: promptOf(pass),
    session,
    settingsFile,
    model: move.model,
    tools: step.allowedTools ?? (isJudge ? READING_TOOLS : TOOLS),
    turns: step.maxTurns,
    usd: move.allowance.usd,
    ...(isJudge && { schema: VERDICT }),
  });
  const from = sizeOf(log);
  const ran = await guard.run({
    program: setup.program,
    args,
    cwd: root,
    env: withoutMarks(env),
    log,
    ms: move.allowance.ms,
  });
  const end = headless.endIn(tailOf(log, from, OUTPUT_BYTES));
  const fault = faultOf(end, ran, pass);
  const { usd, tokens } = end;
  const used = { ...(usd !== undefined && { usd }), ...(tokens !== undefined && { tokens }) };
  const ended: Ended = { used, said: end.text };
  if (fault) return { ...ended, fault };
  return isJudge ? judged(ended, end) : ended;
}

/** A run must not depend on a daemon that somebody stops. */
function onPlainLane({ node, bundle, key }: Program): Program {
  return { node, bundle, key };
}

/** Variables of a host around us would tell the agent that it is somebody else. */
function withoutMarks(env: Pass["env"]): Pass["env"] {
  const isMark = (name: string): boolean => setup.ownVariables.test(name) && !headless.keptVariables.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isMark(name)));
}

const CAUSES: Readonly<Record<Exclude<HeadlessEnd["is"], "ok">, Cause>> = {
  budget: "budget",
  turns: "work",
  auth: "auth",
  transient: "transient",
  error: "work",
  none: "transient",
};

type Ran = Awaited<ReturnType<Pass["guard"]["run"]>>;

function faultOf(end: HeadlessEnd, { isLate, why, exit }: Ran, pass: Pass): Fault | undefined {
  if (isLate) return { cause: "timeout", why: "its agent took too long" };
  if (end.is === "none" && why !== undefined && exit === null) return { cause: "transient", why };
  if (!isGoverned(pass)) {
    const said = end.text === "" ? "" : ` It said: ${end.text}`;
    return {
      cause: end.is === "auth" ? "auth" : "ungoverned",
      why: `no hook event came from its agent.${said}`,
    };
  }
  if (end.is === "ok") return undefined;
  return { cause: CAUSES[end.is], why: end.text === "" ? `its agent ended with: ${end.is}` : end.text };
}

/** Its session has begun in our journal, bound to a process. */
function isGoverned({ here, session }: Pass): boolean {
  return own(orFail(here.store.read()).sessions, session)?.client !== undefined;
}

function judged(ended: Ended, { value }: HeadlessEnd): AgentEnd {
  const { verdict, reasons } = (value ?? {}) as { verdict?: unknown; reasons?: unknown };
  const why = typeof reasons === "string" && reasons !== "" ? reasons : "it gave no reasons";
  if (verdict === "go" || verdict === "conditional") return { ...ended, said: why, verdict };
  if (verdict === "no-go") return { ...ended, said: why, fault: { cause: "gate", why } };
  return { ...ended, fault: { cause: "transient", why: "its agent gave no verdict" } };
}
