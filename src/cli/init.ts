import { spawnSync } from "node:child_process";
import { startGatehouse } from "../gatehouse/start.ts";
import { arming, groupsOf, isOurs, type Program, readSettings, slots } from "../hosts/claude-code/hooks.ts";
import { withOurs } from "../hosts/claude-code/install.ts";
import type { EventName } from "../kernel/event.ts";
import { policies } from "../policies/index.ts";
import { ensureDoor } from "../store/door.ts";
import { CANARY } from "../views/explain.ts";
import { stateRoot } from "../world/places.ts";
import { defineCommand } from "./command.ts";
import { here, orFail } from "./here.ts";
import { requirePerson } from "./person.ts";
import { CommandError, paint, say } from "./print.ts";
import { readText, replaceText, SCOPES, type Scope, settingsPath } from "./settings-file.ts";

export const init = defineCommand({
  name: "init",
  summary: "Registers Sekisho's hooks with Claude Code and proves that they refuse.",
  options: {
    yes: { type: "boolean", about: "ask nothing" },
    scope: {
      type: "string",
      hint: "local|project|user",
      about: "which settings file (default local: this checkout, not shared)",
    },
    lane: {
      type: "string",
      hint: "fast|plain",
      about: "plain: one process per event; fast: the gatehouse answers for the tools",
    },
  },
  examples: ["sekisho init --yes --scope local --lane plain"],
  async run({ scope = "local", lane = "plain" }) {
    requirePerson("init");
    if (!(SCOPES as readonly string[]).includes(scope))
      throw new CommandError(`--scope is local, project or user, not "${scope}".`);
    if (scope === "project") {
      throw new CommandError(
        "--scope project is not possible yet: the hooks name paths of this machine, and that file is shared by git. Use local, or user for all your projects.",
      );
    }
    if (lane !== "plain" && lane !== "fast") throw new CommandError(`--lane is plain or fast, not "${lane}".`);
    if (lane === "fast") ensureDoor(stateRoot(process.env));
    const { places, program, settings, store } = here();
    const started = lane === "fast" ? await startGatehouse(process.env, program) : { ok: true as const };
    if (!started.ok) throw new CommandError(`The gatehouse is not up: ${started.reason}.`);
    const path = settingsPath(scope as Scope, process.env["CLAUDE_PROJECT_DIR"] || process.cwd());
    const events = registeredEvents();
    const before = readText(path);
    const result = withOurs(before, events, program, lane);
    if ("problem" in result) throw new CommandError(`${path} was left as it is: ${result.problem}.`);
    const elsewhere = places.hostSettings.filter((other) => other !== path && hasOurs(readText(other)));
    if (elsewhere.length > 0) {
      throw new CommandError(
        `Sekisho is already registered in ${elsewhere.join(", ")}: twice would mean every event is decided twice.\nTake it out there first: sekisho uninstall`,
      );
    }
    replaceText(path, result.text);
    proveWritten(path, events, program);
    // From here on this is what later sessions are held against.
    orFail(store.append({ kind: "action", action: "init", detail: path }, Date.now()));
    say(`${paint.green("✔")} ${slots(events, program).length} hooks registered in ${path}`);
    if (settings.settings.enabled) {
      proveRefusal(program, places.project);
      say(`${paint.green("✔")} a forbidden command was sent through the hook and refused`);
    } else say(`${paint.yellow("!")} this project has opted out (enabled: false), so nothing will be refused here`);
    say();
    say("Claude Code picks this up at once, also in sessions that are running. `sekisho status` shows what passes,");
    say("`sekisho explain --last` why something was refused, `sekisho uninstall` takes it away.");
    return 0;
  },
});

/** Exactly the events that some policy listens to: every other one would cost time for nothing. */
export function registeredEvents(): readonly EventName[] {
  return [...new Set(policies.flatMap(({ on }) => on))];
}

export function hasOurs(text: string | undefined): boolean {
  const settings = text === undefined ? undefined : readSettings(text);
  if (!settings) return false;
  return Object.keys(settings.hooks ?? {}).some((event) =>
    groupsOf(settings, event).some((group) => ((group as { hooks?: unknown[] } | null)?.hooks ?? []).some(isOurs)),
  );
}

/** One malformed entry would make the client drop the whole file without a word, so what was written is read back. */
function proveWritten(path: string, events: readonly EventName[], program: Program): void {
  const { readable, hooks } = arming(readText(path), program);
  if (!readable || hooks.length !== slots(events, program).length) {
    throw new CommandError(`${path} does not hold what was written to it. Look at the file, then run init again.`);
  }
}

/** Fires the registered command itself, as the client would, with a command that must never run. */
function proveRefusal(program: Program, project: string): void {
  const gate = slots(["PreToolUse"], program)[0];
  if (!gate) throw new CommandError("There is no gate to test.");
  const payload = {
    session_id: CANARY,
    hook_event_name: "PreToolUse",
    cwd: project,
    tool_name: "Bash",
    tool_input: { command: "rm -rf /" },
    tool_use_id: "",
  };
  const { status, stderr } = spawnSync(gate.hook.command, gate.hook.args, {
    input: JSON.stringify(payload),
    encoding: "utf8",
  });
  if (status !== 2) throw new CommandError(`The hook did not refuse a forbidden command (exit ${status}): ${stderr}`);
}
