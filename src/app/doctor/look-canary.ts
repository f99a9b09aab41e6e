/** Checks that the registered hooks refuse and allow correctly, and measures how long they take. */

import type { OwnHook } from "../../hosts/registration.ts";
import type { EventName } from "../../kernel/event.ts";
import { type Figure, spreadOf, timesIn } from "../../views/latency.ts";
import { host, setup } from "../host.ts";
import {
  FORBIDDEN,
  fire,
  firstLine,
  payloadFor,
  type Range,
  readingPayload,
  withScratchState,
} from "../setup/canary.ts";
import { type Check, type Finding, ok, type Premises, registered, skip } from "./check.ts";

const { isHarmlessGate } = setup.rehearsal;

/** The daemon gives up after three seconds, so after four seconds no answer will come. */
const PATIENCE_MS = 4000;

export const canary: Check = {
  id: "canary",
  title: "Canary",
  async look(premises) {
    if (!premises.settings.settings.enabled) return skip("this project has opted out, so nothing is refused");
    const gates = gatesOf(premises);
    if (gates.length === 0) return skip("no gate of ours is registered");
    return withScratchState(premises.env, async (env) => {
      const range = { run: premises.run, env, project: premises.places.project, patienceMs: PATIENCE_MS };
      const flaws = (await Promise.all(gates.map((gate) => flawOf(gate, range)))).flatMap((flaw) => flaw ?? []);
      return flaws[0] ?? ok("a forbidden command was refused, a harmless one and a read passed");
    });
  },
};

function gatesOf(premises: Premises): readonly OwnHook[] {
  return registered(premises).flatMap(({ ours }) => ours.hooks.filter(({ event }) => event === "PreToolUse"));
}

async function flawOf(gate: OwnHook, range: Range): Promise<Finding | undefined> {
  const { project } = range;
  if (isHarmlessGate(gate)) {
    const read = await fire(gate, readingPayload(project), range);
    return read.answer === "passed"
      ? undefined
      : { ...LOCKED_OUT, what: `a read was ${read.answer}: ${firstLine(read.detail)}` };
  }
  const forbidden = await fire(gate, payloadFor("PreToolUse", project, FORBIDDEN), range);
  if (forbidden.answer === "failed") return { ...FAILS, what: `the hook fails: ${firstLine(forbidden.detail)}` };
  if (forbidden.answer !== "refused") return OPEN;
  const everyday = await fire(gate, payloadFor("PreToolUse", project, "echo hello"), range);
  return everyday.answer === "passed"
    ? undefined
    : { ...LOCKED_OUT, what: `\`echo hello\` was ${everyday.answer}: ${firstLine(everyday.detail)}` };
}

const REPAIR_HINT = "See the checks above for the cause. If there is none: `sekisho init` writes the hooks anew.";
const OPEN: Finding = {
  state: "fail",
  what: `the hook let \`${FORBIDDEN}\` pass`,
  why: "The gate is open: the agent can take the checkpoint away.",
  fix: REPAIR_HINT,
};
const FAILS = {
  state: "fail",
  why: "A hook that fails blocks every change on Claude Code 2.1.295 or newer, and checks nothing on an older one.",
  fix: REPAIR_HINT,
} as const;
const LOCKED_OUT = {
  state: "fail",
  why: "The agent is held back from work that nobody forbids.",
  fix: `${REPAIR_HINT} The way out in any case: \`sekisho uninstall\`.`,
} as const;

const GATE_RUNS = 7;
const OTHER_RUNS = 3;
/**
 * A delay of this length is noticeable at every tool use. It is compared with the median, because the slowest of a few
 * runs is noise.
 */
const SLOW_MS = 300;

export const latency: Check = {
  id: "latency",
  title: "What a hook costs",
  async look(premises) {
    if (!premises.wants.measuring) return skip("not measured (--quick)");
    const hooks = uniqueHooks(registered(premises).flatMap(({ ours }) => ours.hooks));
    if (hooks.length === 0) return skip("no hook of ours is registered");
    const figures = await withScratchState(premises.env, (env) =>
      measured(hooks, { run: premises.run, env, project: premises.places.project }, premises),
    );
    const late = figures.filter(({ hook, measured }) => (measured?.p95 ?? 0) > host.deadlineMs(eventOf(hook)));
    const slow = figures.filter(({ measured }) => (measured?.p50 ?? 0) > SLOW_MS);
    const worst = late[0] ?? slow[0];
    if (worst === undefined) return { ...ok(best(figures)), figures };
    return {
      state: late.length > 0 ? "fail" : "warn",
      what: `${worst.hook} takes ${worst.measured?.p50} ms (p50), ${worst.measured?.p95} ms (p95)`,
      why:
        late.length > 0
          ? "That is beyond our own deadline, 60 % of the client's time-out: events are answered without being decided."
          : "The agent waits that long at every such event.",
      fix: "See what else the machine is doing. A Node on a slow disk or behind a virus scanner does this too.",
      figures,
    };
  },
};

function best(figures: readonly Figure[]): string {
  const gate = figures.find(({ hook }) => hook === "PreToolUse")?.measured;
  return gate ? `p50 ${gate.p50} ms, p95 ${gate.p95} ms at the gate` : "nothing measured";
}

function nameOf(hook: OwnHook): string {
  return hook.event === "PreToolUse" && isHarmlessGate(hook) ? "PreToolUse (reading)" : hook.event;
}

function eventOf(name: string): EventName {
  return name.split(" ")[0] as EventName;
}

function uniqueHooks(hooks: readonly OwnHook[]): readonly OwnHook[] {
  return hooks.filter((hook, at) => hooks.findIndex((other) => nameOf(other) === nameOf(hook)) === at);
}

/** Measured one after the other, because the host rarely calls two hooks at once. */
async function measured(hooks: readonly OwnHook[], range: Range, { store }: Premises): Promise<readonly Figure[]> {
  const kept = timesIn(store.records());
  const figures: Figure[] = [];
  for (const hook of hooks) {
    const payload = isHarmlessGate(hook) ? readingPayload(range.project) : payloadFor(hook.event, range.project);
    // Run once without measuring: the first start of each bundle compiles it, once per machine and version.
    if (hook.event === "PreToolUse") await fire(hook, payload, range);
    const times: number[] = [];
    for (let at = 0; at < (hook.event === "PreToolUse" ? GATE_RUNS : OTHER_RUNS); at++) {
      times.push((await fire(hook, payload, range)).ms);
    }
    const now = spreadOf(times);
    const before = isHarmlessGate(hook) ? undefined : spreadOf(kept.get(hook.event) ?? []);
    figures.push({ hook: nameOf(hook), ...(now && { measured: now }), ...(before && { journal: before }) });
  }
  return figures;
}
