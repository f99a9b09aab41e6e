/** A throw-away project with its own hooks, to show Sekisho at work. */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { EventName } from "../../kernel/event.ts";
import type { Language } from "../../lib/text.ts";
import { registeredEvents } from "../../policies/index.ts";
import { registration, setup } from "../host.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { settingsPath } from "../setup/scope.ts";

export interface Place {
  readonly project: string;
  readonly settings: string;
}

export interface Scratch extends Place {
  /** The temporary directory; the caller removes it. */
  readonly scratch: string;
  readonly language: Language;
  /** Sends an event through the registered hook like the host, and returns its answer. */
  send(event: EventName, fields: object, gate?: "harmless"): Answer;
  readonly env: NodeJS.ProcessEnv;
}

interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** A git project with its own home and journal, so that the scripted agent can damage nothing real. */
export function openScratch(
  name: string,
  files: Readonly<Record<string, string>>,
  { program, language }: Pick<Here, "program" | "language">,
): Scratch {
  const scratch = mkdtempSync(join(tmpdir(), `sekisho-${name}-`));
  const project = join(scratch, "home", name);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), content);
  }
  const settings = settingsPath("local", project);
  const registered = registration.withOurs(undefined, registeredEvents, program);
  if ("problem" in registered) throw new Problem(registered.problem);
  mkdirSync(dirname(settings));
  writeFileSync(settings, registered.text);
  const env = {
    PATH: process.env["PATH"],
    HOME: join(scratch, "home"),
    LANG: language === "ja" ? "ja_JP.UTF-8" : "C.UTF-8",
    XDG_STATE_HOME: join(scratch, "state"),
    ...setup.rehearsal.environment(project, process.pid),
  };
  spawnSync("git", ["init", "-q"], { cwd: project, env });
  // What a session reports counts only if the host's transcript shows it.
  const transcript = join(scratch, `${name}.jsonl`);
  const send: Scratch["send"] = (event, fields, gate) => {
    const slot = registration.slots([event], program).at(gate === "harmless" ? 1 : 0);
    if (!slot) throw new Problem(`No hook is registered for ${event}.`);
    const common = setup.rehearsal.common(event, { session: name, project });
    const payload = { ...common, transcript_path: transcript, ...fields };
    appendFileSync(transcript, setup.rehearsal.recorded(event, fields));
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
