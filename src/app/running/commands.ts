/** Runs commands of a pipeline. Each is judged first as a command of the agent, so a pipeline opens no other way to a shell. */
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Cause } from "../../state/runs/records.ts";
import { judgeAt } from "../queries/judge.ts";
import { digestNow } from "../queries/work.ts";
import type { Guard } from "./guard.ts";
import type { Site } from "./site.ts";

export interface Fault {
  readonly cause: Cause;
  readonly why: string;
}

export interface Ran {
  readonly exit: number | null;
  readonly output: string;
  /** The last lines, if it did not pass. */
  readonly why: string;
}

export interface Commands {
  /** What was seen, by command, exit code and the files it was seen on. */
  readonly evidence: readonly string[];
  run(line: string): Promise<Ran | Fault>;
}

/** What a session has to show before it may change something is asked of sessions, not of the commands of a pipeline. */
const APART = ["require-playbook", "require-step", "require-plan-read", "require-fitting-plan"];

type Place = Site & { readonly guard: Guard; readonly log: string; readonly ms: number | null };

/** The text of a line is the definition's own: values reach it by its environment. */
export function commandsAt({ root, here, env, guard, log, ms }: Place): Commands {
  const judge = judgeAt(root, APART);
  const evidence: string[] = [];
  return {
    evidence,
    async run(line) {
      const { decision, objections } = judge(line);
      if (decision !== "pass") {
        return { cause: "refused", why: `\`${line}\` is not allowed: ${objections[0]?.what ?? decision}` };
      }
      const from = sizeOf(log);
      const { exit, isLate, why } = await guard.run({
        program: "/bin/sh",
        args: ["-c", line],
        cwd: root,
        env,
        log,
        ms,
      });
      if (isLate) return { cause: "timeout", why: `\`${line}\` took too long` };
      const output = tailOf(log, from);
      const digest = digestNow(here, root);
      const files = "files" in digest ? digest.files.slice(0, 12) : "unknown";
      evidence.push(`${line.slice(0, 60)} → exit ${exit ?? "none"} @${files}`);
      const last = output.trimEnd().split("\n").slice(-3).join(" / ");
      return { exit, output, why: why ?? `exit code ${exit}${last === "" ? "" : `: ${last}`}` };
    },
  };
}

export function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

const TAIL_BYTES = 200_000;

/** What was added to a log, or the end of that. */
export function tailOf(path: string, from: number, bytes = TAIL_BYTES): string {
  if (!existsSync(path)) return "";
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(fd);
    const start = Math.max(from, size - bytes);
    const end = Buffer.alloc(Math.max(0, size - start));
    return end.subarray(0, readSync(fd, end, 0, end.length, start)).toString("utf8");
  } finally {
    closeSync(fd);
  }
}
