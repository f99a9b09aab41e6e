/** Is an agent's client above this process? Then whoever types here is not a person. */
import { readFileSync } from "node:fs";
import { lookUp } from "./caller.ts";
import type { Environment } from "./places.ts";

const ANCESTORS_MAX = 64;

/** The marks a client leaves in the environment of everything it starts. */
const MARKS = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "AI_AGENT"];

/**
 * Looks at the environment and at every ancestor: a variable can be unset and a terminal can be faked, but a process
 * cannot choose another parent. Undefined when nothing was found.
 */
export function agentAbove(env: Environment, pid: number): string | undefined {
  const mark = MARKS.find((name) => env[name] !== undefined && env[name] !== "");
  if (mark !== undefined) return `the variable ${mark} is set`;
  for (const at of ancestorsOf(pid)) {
    const reason = clientAt(at);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Who called, as a trail for people: `bash < sshd`. One who has cut himself loose from his parents shows by having few. */
export function callersOf(pid: number): string {
  const names = [...ancestorsOf(pid)].map((at) => nameOf(at) || "?");
  return names.slice(0, NAMES_MAX).join(" < ") || "nobody that is still there";
}

const NAMES_MAX = 6;

/** From the parent up; the first process of all is left out. */
export function* ancestorsOf(pid: number): Iterable<number> {
  for (let at = lookUp(pid)?.parent ?? 0, steps = 0; at > 1 && steps < ANCESTORS_MAX; steps++) {
    yield at;
    at = lookUp(at)?.parent ?? 0;
  }
}

function clientAt(pid: number): string | undefined {
  const name = nameOf(pid);
  if (/^claude(\.exe)?$/i.test(name)) return `process ${pid} above this one is ${name}`;
  const marked = proc(pid, "environ")
    .split("\0")
    .find((line) => MARKS.some((mark) => line.startsWith(`${mark}=`)));
  return marked === undefined ? undefined : `process ${pid} above this one was started by an agent`;
}

/** As the system knows it; empty when it does not. */
export function nameOf(pid: number): string {
  return proc(pid, "comm").trim();
}

function proc(pid: number, file: "comm" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // Another user's process, or one that just ended: it tells nothing either way.
    return "";
  }
}
