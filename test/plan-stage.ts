/** A repository with an approved plan and a hall that judges events there, for tests of what plans hold. */
import * as childProcess from "node:child_process";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { keepAction } from "../src/app/actions/action.ts";
import { type ExampleHall, hallWith, send } from "../src/app/example-hall.ts";
import type { Reply } from "../src/hosts/host.ts";
import { digestOf, partsOf } from "../src/playbook/identity.ts";
import { readPlaybook } from "../src/playbook/read.ts";
import { ordinaryFacts } from "../src/policies/describe-policy.ts";
import type { Settings } from "../src/state/settings/settings.ts";
import { sha256Hex } from "../src/store/digest.ts";
import { memoryStore } from "../src/store/memory.ts";
import type { Store } from "../src/store/store.ts";
import { runNow } from "../src/world/machine/program.ts";
import { tempDirectory } from "./temp.ts";

export const PLAN = ".sekisho/playbooks/button.md";
export const PLAN_TEXT = "# Button\n\nWhat: a button\nBranch: feat/button\n\n## 1 Draw it\n\n- [ ] it is drawn\n";

export interface PlanStage {
  readonly project: string;
  readonly store: Store;
  hall(settings: Settings): ExampleHall;
  put(path: string, text: string): void;
  git(...args: readonly string[]): string;
  /** As a person's command does. */
  approve(): void;
}

export function openPlanStage(): PlanStage {
  const root = tempDirectory("plan");
  const project = join(root, "project");
  const store = memoryStore();
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.invalid", ...args], {
      cwd: project,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  put(PLAN, PLAN_TEXT);
  put("a.ts", "a\n");
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "first");
  const places = { ...ordinaryFacts.places, project, home: join(root, "home"), journal: join(root, "journal") };
  const env = { CLAUDE_PID: String(process.ppid), PATH: process.env["PATH"], LANG: "C.UTF-8" };
  return {
    project,
    store,
    put,
    git,
    hall: (settings) =>
      hallWith(store, {
        placesOf: () => places,
        env,
        digest: sha256Hex,
        run: (program) => runNow(program, childProcess),
        settingsOf: () => ({ settings, problems: [], custom: [] }),
      }),
    approve() {
      const playbook = readPlaybook(PLAN_TEXT);
      const change = { record: "playbook", do: "approve", root: project, path: PLAN, by: "command" } as const;
      const changes = [{ ...change, digest: digestOf(playbook), parts: partsOf(playbook) }];
      keepAction(store, { action: "playbook", changes }, 500, {});
    },
  };
}

let calls = 0;

/** A tool use that is about to begin. */
export function attempt(hall: ExampleHall, cwd: string, tool_name: string, tool_input: object): Reply {
  return send(hall, "PreToolUse", { cwd, tool_name, tool_input, tool_use_id: `t-${++calls}` });
}

/** A tool use that has run. */
export function done(hall: ExampleHall, cwd: string, tool_name: string, tool_input: object): void {
  attempt(hall, cwd, tool_name, tool_input);
  send(hall, "PostToolUse", { cwd, tool_name, tool_input, tool_use_id: `t-${calls}`, tool_response: {} });
}
