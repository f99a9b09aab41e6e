/** The user's own prompt classifier: a command that reads the prompt and prints one word. */

import { type ProgramRun, run, type Steps } from "../../kernel/effect.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Places } from "../../kernel/facts.ts";
import { explicitActivity } from "../../language/activity/activity.ts";
import { type Activity, knownActivity } from "../../state/activity.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { searchPath } from "../machine/git.ts";
import type { Environment } from "../machine/places.ts";

interface Looking {
  readonly event: HookEvent;
  readonly settings: Pick<Settings, "activity">;
  readonly env: Environment;
  readonly places: Pick<Places, "project" | "home">;
  readonly deadline: number;
  readonly clock: () => number;
}

/** The time limit of the specification, shortened if the deadline is nearer; the reserve is for writing the answer. */
const TIME_MS = 3000;
const RESERVE_MS = 700;

const PROMPT_CHARS_MAX = 256 * 1024;
const WORD_CHARS_MAX = 100;

/**
 * Undefined when no classifier is set, when it failed, or when its word is not a known activity: then the rules decide.
 */
export function* classifiedBy(from: Looking): Steps<Activity | undefined> {
  const { event, settings, env, deadline, clock } = from;
  const { hint, command } = settings.activity;
  if (event.name !== "UserPromptSubmit" || !hint || command === "" || env[WITHIN] !== undefined) return undefined;
  if (event.prompt.trim() === "" || explicitActivity(event.prompt) !== undefined) return undefined;
  const timeMs = Math.round(Math.min(TIME_MS, deadline - clock() - RESERVE_MS));
  if (timeMs <= 0) return undefined;
  const outcome = yield* run(programOf(command, event.prompt, from, timeMs));
  return "failed" in outcome || outcome.text.length > WORD_CHARS_MAX ? undefined : knownActivity(outcome.text);
}

/** Set for the classifier, so that a host it starts does not run the classifier again through our hooks. */
const WITHIN = "SEKISHO_CLASSIFIER";

/**
 * Runs in the home directory, so that no relative path leads into the project. The rest of the environment is the
 * host's.
 */
function programOf(command: string, prompt: string, { env, places }: Looking, timeMs: number): ProgramRun {
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
