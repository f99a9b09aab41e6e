/** Says what would be decided about a shell command. The command is not run and nothing is recorded; guards are asked. */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { driveNow, running } from "../../kernel/drive.ts";
import type { HookEvent } from "../../kernel/event.ts";
import { policies } from "../../policies/index.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import { newSession } from "../../state/session/session.ts";
import { newState } from "../../state/state.ts";
import { sha256Hex } from "../../store/digest.ts";
import { isFault } from "../../store/store.ts";
import { type JudgedView, judgedView } from "../../views/judged.ts";
import type { Surroundings } from "../../world/gather.ts";
import { processAt } from "../../world/machine/caller.ts";
import { runNow } from "../../world/machine/program.ts";
import { host } from "../host.ts";
import { judge } from "../judge.ts";
import { Problem } from "../problem.ts";
import { here } from "../project.ts";

const REFUSERS = policies.filter(({ id }) => /^(no|require)-/.test(id));

/**
 * Judges as if the agent stood in that directory, with the trust, stance and grants of its project, but no session.
 * `apart`: policies that are not asked, because they go by what a session has shown.
 */
export function judgeAt(cwd: string, apart: readonly string[] = []): (command: string) => JudgedView {
  if (!isDirectory(cwd)) throw new Problem(`--cwd takes a directory, and ${cwd} is none.`);
  const { places, settings, armingOf, store, language } = here(cwd, "none");
  const read = store.read();
  const standing = isFault(read) ? newState : read;
  const law = settings.settings.enabled ? REFUSERS.filter(({ id }) => !apart.includes(id)) : [];
  return (command) => {
    const tool = { kind: "bash", name: "Bash", command, background: false } as const;
    const event: HookEvent<"PreToolUse"> = {
      name: "PreToolUse",
      session: "judge",
      cwd,
      attended: true,
      tool,
      call: "",
      input: { command },
    };
    const operation = operationOf(tool, { cwd, home: places.home });
    const now = Date.now();
    const around: Surroundings = {
      host,
      event,
      operation,
      places,
      armingOf,
      now,
      env: process.env,
      parentOf: () => processAt(process.ppid),
      settings: settings.settings,
      settingsProblems: settings.problems,
      state: { ...standing, sessions: { judge: newSession(now) } },
      deadline: Number.POSITIVE_INFINITY,
      clock: () => now,
      digest: sha256Hex,
    };
    const perform = running((program) => runNow(program, { spawnSync }));
    const { verdict } = driveNow(judge(around, law), perform);
    return judgedView(command, verdict, operation, language);
  };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
