/** Writes a registration, proves it, and takes it back if it does not hold. */
import { startGatehouse } from "../gatehouse/start.ts";
import { arming } from "../hosts/claude-code/arming.ts";
import { type Lane, type Program, slots } from "../hosts/claude-code/hooks.ts";
import { withOurs } from "../hosts/claude-code/install.ts";
import type { Note } from "../hosts/claude-code/uninstall.ts";
import type { EventName } from "../kernel/event.ts";
import { ensureDoor } from "../store/door.ts";
import { replaceHostFile, rewritableText } from "../world/host-file-writing.ts";
import { stateRoot } from "../world/places.ts";
import { canary } from "./canary.ts";
import type { Here } from "./here.ts";
import type { Choice } from "./lane.ts";
import { CommandError } from "./print.ts";
import { dropNote, keepNote } from "./registration-note.ts";

export interface Registration {
  readonly path: string;
  /** The file as it was read, and what was noted about it earlier. */
  readonly before: string | undefined;
  readonly note: Note | undefined;
  readonly events: readonly EventName[];
  readonly program: Program;
  readonly lane: Lane;
  readonly noProxy: string | undefined;
}

export interface Registered {
  readonly hooks: number;
  /** A forbidden command was sent through the hook and refused. */
  readonly isProven: boolean;
}

/** Says nothing: what happened is told when all of it has. */
export async function register(registration: Registration, { places, settings }: Here): Promise<Registered> {
  const { path, before, note, events, program, lane, noProxy } = registration;
  const result = withOurs(before, events, program, { lane, noProxy, note });
  if ("problem" in result) throw new CommandError(`${path} was left as it is: ${result.problem}.`);
  // First the note: a file that is written and cannot be given back would be the worse half.
  keepNote(path, result.note);
  replaceHostFile(path, before, result.text);
  try {
    proveWritten(registration);
    const { enabled } = settings.settings;
    if (enabled) await proveRefusal(registration, places.project);
    return { hooks: slots(events, program, lane).length, isProven: enabled };
  } catch (error) {
    replaceHostFile(path, result.text, before);
    if (note) keepNote(path, note);
    else dropNote(path);
    throw error;
  }
}

/** One malformed entry would make the client drop the whole file without a word, so what was written is read back. */
function proveWritten({ path, events, program, lane }: Registration): void {
  const { readable, hooks } = arming(rewritableText(path), program);
  const wanted = slots(events, program, lane);
  const whole = hooks.filter((name) => wanted.some(({ event }) => name.split(" ")[0] === event));
  if (readable && whole.length === wanted.length) return;
  const what = readable ? `it has ${whole.length} of ${wanted.length} hooks` : "the client would drop it whole";
  throw new CommandError(`${path} does not hold what was written to it: ${what}. It is as it was before.`);
}

async function proveRefusal({ path, program, lane }: Registration, project: string): Promise<void> {
  const [gate] = slots(["PreToolUse"], program, lane);
  const failure = gate ? await canary(gate, project) : "there is no gate";
  if (failure !== undefined) {
    throw new CommandError(
      `A forbidden command was sent through the hook, and it was not refused: ${failure}\n${path} is as it was before.${advice(failure, program)}`,
    );
  }
}

function advice(failure: string, { node }: Program): string {
  if (node !== "" || !/exit code 127/.test(failure)) return "";
  return " A shared file names no path, so `sekisho` must be on the PATH: install the package as the README says.";
}

/** The gatehouse is up before anything is registered with it. Nobody asked for this lane? Then the other one will do. */
export async function openDoor(program: Program, mayChoose: boolean): Promise<{ readonly program: Program } | Choice> {
  const failure = await opened(program);
  if (typeof failure !== "string") return { program: failure };
  if (mayChoose) return { lane: "plain", because: `the gatehouse is not up (${failure})` };
  throw new CommandError(`The gatehouse is not up: ${failure}. Nothing was changed. Use --lane plain meanwhile.`);
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
