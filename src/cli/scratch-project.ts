/** A throw-away project with hooks of its own, for commands that show how the checkpoint works. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { slots } from "../hosts/claude-code/hooks.ts";
import { withOurs } from "../hosts/claude-code/install.ts";
import type { EventName } from "../kernel/event.ts";
import type { Language } from "../kernel/text.ts";
import { registeredEvents } from "../policies/index.ts";
import { here } from "./here.ts";
import { CommandError } from "./print.ts";

export interface Place {
  readonly project: string;
  readonly settings: string;
}

export interface Scratch extends Place {
  /** Holds everything; whoever opened it removes it. */
  readonly scratch: string;
  readonly language: Language;
  /** Sends an event through the registered hook, as the client would, and returns its answer. */
  send(event: EventName, fields: object, gate?: "harmless"): Answer;
  readonly env: NodeJS.ProcessEnv;
}

interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** A git project of its own, with its own home and its own journal: whatever the agent breaks, it breaks nothing. */
export function openScratch(name: string, files: Readonly<Record<string, string>>): Scratch {
  const { program, language } = here(process.cwd(), "none");
  const scratch = mkdtempSync(join(tmpdir(), `sekisho-${name}-`));
  const project = join(scratch, "home", name);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), content);
  }
  const settings = join(project, ".claude", "settings.local.json");
  const registered = withOurs(undefined, registeredEvents, program);
  if ("problem" in registered) throw new CommandError(registered.problem);
  mkdirSync(dirname(settings));
  writeFileSync(settings, registered.text);
  const env = {
    PATH: process.env["PATH"],
    HOME: join(scratch, "home"),
    LANG: language === "ja" ? "ja_JP.UTF-8" : "C.UTF-8",
    XDG_STATE_HOME: join(scratch, "state"),
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_PID: String(process.pid),
    CLAUDE_CODE_SESSION_ATTENDED: "1",
  };
  spawnSync("git", ["init", "-q"], { cwd: project, env });
  const send: Scratch["send"] = (event, fields, gate) => {
    const slot = slots([event], program).at(gate === "harmless" ? 1 : 0);
    if (!slot) throw new CommandError(`No hook is registered for ${event}.`);
    const payload = { session_id: name, cwd: project, permission_mode: "default", hook_event_name: event, ...fields };
    const started = performance.now();
    const { status, stdout, stderr } = spawnSync(slot.hook.command, slot.hook.args, {
      cwd: project,
      env,
      input: JSON.stringify(payload),
      encoding: "utf8",
    });
    return { code: status, stdout, stderr, ms: performance.now() - started };
  };
  return { scratch, project, settings, language, send, env };
}
