/** Where a run works, and what all of its passes need. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../../pipeline/plan.ts";
import type { Run } from "../../state/runs/run.ts";
import type { Here } from "../project.ts";
import { RUN_MARK } from "./leftover.ts";

/** What a person gave a run. */
export interface Given {
  readonly task: string;
  readonly inputs: Readonly<Record<string, string>>;
}

export interface Site {
  readonly here: Here;
  readonly plan: Plan;
  readonly given: Given;
  readonly root: string;
  /** Logs of passes and the settings of agents. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function siteOf(here: Here, { id, root }: Run, plan: Plan, given: Given): Site {
  const directory = join(here.places.journal, "runs", id);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return { here, plan, given, root, directory, env: environment(id, given) };
}

/** Values reach programs only here, so that no shell ever reads them as its own text. */
function environment(id: string, { task, inputs }: Given): Readonly<Record<string, string | undefined>> {
  const named = Object.entries(inputs).map(([name, value]) => [`SEKISHO_INPUT_${name.toUpperCase()}`, value] as const);
  return { ...process.env, [RUN_MARK]: id, SEKISHO_TASK: task.replaceAll("\0", ""), ...Object.fromEntries(named) };
}

/** A key as part of a file's name or of a ref. */
export function slug(key: string): string {
  return key.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 80);
}
