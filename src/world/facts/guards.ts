/** Runs the guards that a person trusts. Which these are is in the state, so a project without guards looks nothing up. */
import { type ProgramResult, type ProgramRun, run, type Steps } from "../../kernel/effect.ts";
import type { GuardFound } from "../../kernel/facts.ts";
import { within } from "../../lib/paths.ts";
import { clip } from "../../lib/text.ts";
import { changes, type Operation } from "../../reading/operation/operation.ts";
import type { Guard, Guards } from "../../state/guards.ts";
import { guardDigest, guardPath } from "../machine/guard-file.ts";
import type { Looking } from "./looking.ts";

type From = Pick<Looking, "event" | "env" | "places" | "digest" | "deadline" | "clock">;

/** A guard is asked at every change, so it must be quick; the reserve is for writing the answer. */
const TIME_MS = 3000;
const RESERVE_MS = 700;
const REASON_CHARS_MAX = 600;
const REASON_BYTES_MAX = 64 * 1024;
const INPUT_CHARS_MAX = 4 * 1024 * 1024;

export function* guardsJudging(guards: Guards, from: From, operation: Operation): Steps<readonly GuardFound[]> {
  const found: GuardFound[] = [];
  const input = guardInput(from, operation);
  for (const [name, guard] of Object.entries(guards)) {
    if (guard.on !== "all" && !changes(operation)) continue;
    found.push(yield* judged(name, guard, input, from));
    if (found.at(-1)?.outcome !== "passed") break;
  }
  return found;
}

function* judged(name: string, guard: Guard, input: string, from: From): Steps<GuardFound> {
  const { places, clock, deadline, digest } = from;
  const path = guardPath(places.project, name);
  const standing = (): GuardFound["outcome"] | undefined => {
    const now = digest && guardDigest(path, digest);
    if (now === undefined) return "missing";
    return now === guard.digest ? undefined : "changed";
  };
  const before = standing();
  if (before) return { name, outcome: before, reason: "" };
  const timeMs = Math.round(Math.min(TIME_MS, deadline - clock() - RESERVE_MS));
  if (timeMs <= 0) return { name, outcome: "failed", reason: "there was no time left to run it" };
  if (input.length > INPUT_CHARS_MAX)
    return { name, outcome: "failed", reason: "the tool's input is too large for it" };
  const result = yield* run(programOf(path, input, timeMs, from));
  // Between the first look and the start another process may have put something else there.
  const after = standing();
  return after ? { name, outcome: after, reason: "" } : { name, ...outcomeOf(result) };
}

function outcomeOf(result: ProgramResult): Omit<GuardFound, "name"> {
  if ("failed" in result) return { outcome: "failed", reason: result.failed };
  if (result.cut) return { outcome: "failed", reason: "it printed too much" };
  return result.refused
    ? { outcome: "refused", reason: clip(result.text.trim(), REASON_CHARS_MAX) }
    : { outcome: "passed", reason: "" };
}

/**
 * Nothing that the agent can arrange stands between the file and its answer: no directory of the home or the project in
 * the PATH, and no variables. No secrets of the environment reach it either.
 */
function programOf(path: string, input: string, timeMs: number, { env, places }: From): ProgramRun {
  const isArrangeable = (entry: string): boolean => within(entry, places.home) || within(entry, places.project);
  const PATH = (env["PATH"] ?? "").split(":").filter((entry) => entry.startsWith("/") && !isArrangeable(entry));
  return {
    program: path,
    args: [],
    cwd: places.project,
    env: { PATH: PATH.join(":"), LC_ALL: "C.UTF-8", PYTHONNOUSERSITE: "1", SEKISHO_GUARD: "1" },
    timeMs,
    input,
    bytesMax: REASON_BYTES_MAX,
    group: true,
    judges: "stderr",
  };
}

/** The names are those of the host's own hooks, so that a script written for them works here. */
function guardInput({ event, places }: From, operation: Operation): string {
  const tool = "tool" in event ? { tool_name: event.tool.name, tool_input: event.input } : {};
  const { class: kind, domain, risk, effects } = operation;
  return JSON.stringify({
    version: 1,
    hook_event_name: event.name,
    session_id: event.session,
    cwd: event.cwd,
    project: places.project,
    ...(event.agent && { agent_id: event.agent.id, agent_type: event.agent.type }),
    ...tool,
    operation: {
      class: kind,
      domain,
      risk,
      effects: effects.map(({ kind: effect, path, spelled, literal }) => ({ effect, path, spelled, exact: literal })),
    },
  });
}
