/** Is the gatehouse there, is it ours, is it this version, and is it quick? */
import type { Probe } from "../../gatehouse/probe.ts";
import { movedTo } from "../../hosts/claude-code/registered.ts";
import { CommandError } from "../print.ts";
import { type Check, type Finding, ok, type Premises, registered, skip } from "./check.ts";
import { rewriteFile } from "./rewrite.ts";

/** An answer takes about a millisecond; what takes this long is felt at every tool use. */
const SLOW_MS = 100;

export const gatehouse: Check = {
  id: "gatehouse",
  title: "Gatehouse",
  async look(premises) {
    const doors = registered(premises).flatMap(({ ours }) => ours.door ?? []);
    if (doors.length === 0) return skip("no hook of ours calls at one: the plain lane does without");
    const probe = await premises.gatehouse.probe();
    const elsewhere = doors.find(({ port }) => probe.port !== undefined && port !== probe.port);
    if (probe.state === "up" && elsewhere) return calledElsewhere(probe.port ?? 0, elsewhere.port);
    return FINDINGS[probe.state](probe, premises);
  },
};

const BLOCKED = "Whatever could change something is blocked; reading goes on.";

const FINDINGS: Readonly<Record<Probe["state"], (probe: Probe, premises: Premises) => Finding>> = {
  up: (probe, premises) => {
    if ((probe.ms ?? 0) < SLOW_MS) return ok(`up on port ${probe.port}, answers in ${Math.round(probe.ms ?? 0)} ms`);
    return {
      state: "warn",
      what: `slow: it took ${Math.round(probe.ms ?? 0)} ms to answer (${probe.detail})`,
      why: "Every tool use waits for it, in all your projects.",
      fix: "Start it anew; if it stays slow, see what else the machine is doing, or choose the plain lane.",
      repair: () => restart(premises),
    };
  },
  none: (_, premises) => ({
    state: "fail",
    what: "the hooks call at a gatehouse, and none was ever set up for this user",
    why: BLOCKED,
    fix: "Start it: `sekisho up`. If it cannot be had here: `sekisho init --lane plain`.",
    repair: () => start(premises),
  }),
  down: ({ detail }, premises) => ({
    state: "fail",
    what: `down: ${detail}`,
    why: BLOCKED,
    fix: "Start it: `sekisho up`. The next prompt does it too.",
    repair: () => start(premises),
  }),
  stranger: ({ detail, port }, premises) => ({
    state: "fail",
    what: `a stranger answers on port ${port ?? "?"}: ${detail}`,
    why: "It hears what the agent is about to do, and can answer for us.",
    fix: "Move to another port and give the hooks a new token. Then find out what that process is.",
    repair: () => moveAway(premises),
  }),
  "other-version": ({ version, detail }, premises) => ({
    state: "warn",
    what: `version ${version ?? "unknown"} is running, and the hooks belong to ${premises.version}: ${detail}`,
    why: "Tool uses are decided by one version of the law, everything else by another.",
    fix: "Start it anew.",
    repair: () => restart(premises),
  }),
};

function calledElsewhere(real: number, called: number): Finding {
  return {
    state: "fail",
    what: `the hooks call at port ${called}, and the gatehouse listens on ${real}`,
    why: `Nobody of ours answers there. ${BLOCKED}`,
    fix: "Register anew: `sekisho init`.",
  };
}

async function start({ gatehouse }: Premises): Promise<string> {
  const started = await gatehouse.start();
  if (!started.ok) throw new CommandError(`The gatehouse does not start: ${started.reason}`);
  return "the gatehouse was started";
}

async function restart(premises: Premises): Promise<string> {
  await premises.gatehouse.stop();
  await start(premises);
  return "the gatehouse was started anew";
}

/** The hooks are rewritten before the gatehouse moves in: a question that nobody hears is held back, never let by. */
async function moveAway(premises: Premises): Promise<string> {
  const door = await premises.gatehouse.move();
  const files = registered(premises).filter(({ ours }) => ours.door);
  for (const { path, text } of files) rewriteFile(path, text, movedTo(text, door));
  await start(premises);
  return `the gatehouse moved to port ${door.port}, and the hooks in ${files.map(({ path }) => path).join(", ")} with it`;
}
