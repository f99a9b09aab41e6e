/** The person's own classifier of prompts: a command that reads the prompt and says one word. */
import { explicitActivity } from "../kernel/activity.ts";
import type { HookEvent } from "../kernel/event.ts";
import type { Places } from "../kernel/facts.ts";
import { type Activity, knownActivity } from "../state/activity.ts";
import type { Settings } from "../state/settings.ts";
import type { Errand, RunErrand } from "./errand.ts";
import { searchPath } from "./git.ts";
import type { Environment } from "./places.ts";

interface Looking {
  readonly event: HookEvent;
  readonly settings: Pick<Settings, "activity">;
  readonly env: Environment;
  readonly places: Pick<Places, "project" | "home">;
  readonly run?: RunErrand | undefined;
  readonly deadline: number;
  readonly clock: () => number;
}

/** As long as the specification gives it, if the deadline leaves that much; an answer needs time, too. */
const TIME_MS = 3000;
const RESERVE_MS = 700;

const PROMPT_CHARS_MAX = 256 * 1024;
const WORD_CHARS_MAX = 100;

/** Undefined when there is none, when it failed, and when what it said is none of our words: then the rules decide. */
export function classifiedBy(from: Looking): Activity | undefined {
  const { event, settings, env, run, deadline, clock } = from;
  const { hint, command } = settings.activity;
  if (event.name !== "UserPromptSubmit" || !hint || command === "" || !run || env[WITHIN] !== undefined)
    return undefined;
  if (event.prompt.trim() === "" || explicitActivity(event.prompt) !== undefined) return undefined;
  const timeMs = Math.round(Math.min(TIME_MS, deadline - clock() - RESERVE_MS));
  if (timeMs <= 0) return undefined;
  const outcome = run(errandOf(command, event.prompt, from, timeMs));
  return "failed" in outcome || outcome.text.length > WORD_CHARS_MAX ? undefined : knownActivity(outcome.text);
}

/** Set for the classifier: where it asks a client that has hooks of ours, it is not asked again by those. */
const WITHIN = "SEKISHO_CLASSIFIER";

/** In the person's home, so that no relative path leads into the project. Its surroundings are the client's. */
function errandOf(command: string, prompt: string, { env, places }: Looking, timeMs: number): Errand {
  const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return {
    program: "/bin/sh",
    args: ["-c", command],
    cwd: places.home,
    env: { ...Object.fromEntries(set), PATH: searchPath(env, places.project).join(":"), [WITHIN]: "1" },
    timeMs,
    input: prompt.slice(0, PROMPT_CHARS_MAX),
    group: true,
  };
}
