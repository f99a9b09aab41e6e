/** Runs the commands of a plan. Boxes with equal commands share one run, as long as the files are the same. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Subtask } from "../../playbook/playbook.ts";

export interface Ran {
  /** Null: a signal ended it. */
  readonly exit: number | null;
  readonly signal: string | null;
  readonly output: string;
  /** The box for which it was run. */
  readonly box: string;
}

export type RunCommand = (command: string, box: string) => Promise<Ran>;

/** `filesNow` is a digest of the work tree, or empty if it cannot be had: then nothing is shared. */
export function runnerOf(boxes: readonly Subtask[], cwd: string, filesNow: () => string): RunCommand {
  const commands = boxes.flatMap(({ proofs }) => proofs.map(({ run }) => run));
  const isRepeated = (command: string): boolean => commands.indexOf(command) !== commands.lastIndexOf(command);
  const known = new Map<string, { readonly files: string; readonly ran: Ran }>();
  return async (command, box) => {
    // The digest costs some processes of git, so it is taken only where something can be shared.
    const files = isRepeated(command) ? filesNow() : "";
    const before = known.get(command);
    if (before && files !== "" && before.files === files) return before.ran;
    const ran = { ...(await runOnce(command, cwd)), box };
    known.set(command, { files, ran });
    return ran;
  };
}

const OUTPUT_MAX = 1024 * 1024;
const COMMAND_MS_MAX = 30 * 60 * 1000;

async function runOnce(command: string, cwd: string): Promise<Omit<Ran, "box">> {
  const child = spawn("/bin/sh", ["-c", command], { cwd, stdio: ["ignore", "pipe", "pipe"], timeout: COMMAND_MS_MAX });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      if (output.length < OUTPUT_MAX) output += text;
    });
  }
  const [exit, signal] = (await once(child, "close")) as [number | null, string | null];
  return { exit, signal, output };
}
