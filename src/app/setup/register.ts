/** Writes a registration, verifies it, and rolls it back if the verification fails. */

import { startGatehouse } from "../../daemon/start.ts";
import type { Lane, Note, Program } from "../../hosts/registration.ts";
import type { EventName } from "../../kernel/event.ts";
import { ensureDoor } from "../../store/door.ts";
import { replaceHostFile, rewritableText } from "../../world/machine/host-file-writing.ts";
import { stateRoot } from "../../world/machine/places.ts";
import { registration as hooks, host } from "../host.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import { canary } from "./canary.ts";
import type { Choice } from "./lane.ts";
import { dropNote, keepNote } from "./registration-note.ts";

export interface Registration {
  readonly path: string;
  /** The file as read, and the stored note about it. */
  readonly before: string | undefined;
  readonly note: Note | undefined;
  readonly events: readonly EventName[];
  readonly program: Program;
  readonly lane: Lane;
  readonly noProxy: string | undefined;
}

export interface Registered {
  readonly hooks: number;
  /** True when a forbidden command was sent through the hook and refused. */
  readonly isProven: boolean;
}

/** Prints nothing; the caller reports once everything is done. */
export async function register(registration: Registration, { places, settings }: Here): Promise<Registered> {
  const { path, before, note, events, program, lane, noProxy } = registration;
  const result = hooks.withOurs(before, events, program, { lane, noProxy, note });
  if ("problem" in result) throw new Problem(`${path} was left as it is: ${result.problem}.`);
  // The note comes first: without it a written file could not be restored.
  keepNote(path, result.note);
  replaceHostFile(path, before, result.text);
  try {
    proveWritten(registration);
    const { enabled } = settings.settings;
    if (enabled) await proveRefusal(registration, places.project);
    return { hooks: hooks.slots(events, program, lane).length, isProven: enabled };
  } catch (error) {
    replaceHostFile(path, result.text, before);
    if (note) keepNote(path, note);
    else dropNote(path);
    throw error;
  }
}

/** Reads the file back, because one malformed entry makes the host drop the whole file silently. */
function proveWritten({ path, events, program, lane }: Registration): void {
  const { readable, hooks: held } = host.arming(rewritableText(path), program);
  const wanted = hooks.slots(events, program, lane);
  const whole = held.filter((name) => wanted.some(({ event }) => name.split(" ")[0] === event));
  if (readable && whole.length === wanted.length) return;
  const what = readable ? `it has ${whole.length} of ${wanted.length} hooks` : "the client would drop it whole";
  throw new Problem(`${path} does not hold what was written to it: ${what}. It is as it was before.`);
}

async function proveRefusal({ path, program, lane }: Registration, project: string): Promise<void> {
  const [gate] = hooks.slots(["PreToolUse"], program, lane);
  const failure = gate ? await canary(gate, project) : "there is no gate";
  if (failure !== undefined) {
    throw new Problem(
      `A forbidden command was sent through the hook, and it was not refused: ${failure}\n${path} is as it was before.${advice(failure, program)}`,
    );
  }
}

function advice(failure: string, { node }: Program): string {
  if (node !== "" || !/exit code 127/.test(failure)) return "";
  return " A shared file names no path, so `sekisho` must be on the PATH: install the package as docs/getting-started.md says.";
}

/**
 * Starts the daemon before registering hooks with it. If the person did not choose the lane, falls back to the plain
 * lane.
 */
export async function openDoor(program: Program, mayChoose: boolean): Promise<{ readonly program: Program } | Choice> {
  const failure = await opened(program);
  if (typeof failure !== "string") return { program: failure };
  if (mayChoose) return { lane: "plain", because: `the gatehouse is not up (${failure})` };
  throw new Problem(`The gatehouse is not up: ${failure}. Nothing was changed. Use --lane plain meanwhile.`);
}

async function opened(program: Program): Promise<Program | string> {
  try {
    const door = ensureDoor(stateRoot(process.env));
    const started = await startGatehouse(process.env, program);
    return started.ok ? { ...program, door } : started.reason;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
