/** Detects a coding agent among the ancestors of this process: then no person is typing here. */
import { readFileSync } from "node:fs";
import type { HostMarks } from "../host-layout.ts";
import { lookUp } from "./caller.ts";
import type { Environment } from "./places.ts";

const ANCESTORS_MAX = 64;

/**
 * Checks the environment and every ancestor: a variable can be unset and a terminal faked, but a process cannot choose
 * another parent. Undefined when no agent was found.
 */
export function agentAbove(marks: HostMarks, env: Environment, pid: number): string | undefined {
  const mark = marks.variables.find((name) => env[name] !== undefined && env[name] !== "");
  if (mark !== undefined) return `the variable ${mark} is set`;
  for (const at of ancestorsOf(pid)) {
    const reason = hostAt(at, marks);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether an agent started this process. True as well where the process table can't be read. */
export function isOfAgent(marks: HostMarks, pid: number): boolean {
  if (lookUp(pid) === undefined) return true;
  return markIn(pid, marks) || agentAbove(marks, {}, pid) !== undefined;
}

/** The ancestors as a trail for people: `bash < sshd`. A detached process shows few of them. */
export function callersOf(pid: number): string {
  const names = [...ancestorsOf(pid)].map((at) => nameOf(at) || "?");
  return names.slice(0, NAMES_MAX).join(" < ") || "nobody that is still there";
}

const NAMES_MAX = 6;

/** From the parent upwards, without process 1. */
export function* ancestorsOf(pid: number): Iterable<number> {
  for (let at = lookUp(pid)?.parent ?? 0, steps = 0; at > 1 && steps < ANCESTORS_MAX; steps++) {
    yield at;
    at = lookUp(at)?.parent ?? 0;
  }
}

function hostAt(pid: number, marks: HostMarks): string | undefined {
  const name = nameOf(pid);
  if (marks.processName.test(name)) return `process ${pid} above this one is ${name}`;
  return markIn(pid, marks) ? `process ${pid} above this one was started by an agent` : undefined;
}

/** The environment with which the process was started. */
function markIn(pid: number, { variables }: HostMarks): boolean {
  return proc(pid, "environ")
    .split("\0")
    .some((line) => variables.some((mark) => line.startsWith(`${mark}=`)));
}

/** The kernel's name for the process; empty when unknown. */
export function nameOf(pid: number): string {
  return proc(pid, "comm").trim();
}

function proc(pid: number, file: "comm" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // Another user's process, or one that just ended: no evidence either way.
    return "";
  }
}
