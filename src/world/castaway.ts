/** A process that has cut itself loose from its parents, so that no agent stands above it any more. */
import type { Client } from "../state/session.ts";
import { ancestorsOf, nameOf } from "./agent-above.ts";
import { lookUp } from "./caller.ts";

/** What an agent's shell leaves behind. A person's own shell stands below a terminal, a login or a server of one. */
const LEFT_BEHIND =
  /^(?:(?:ba|da|z|k|fi|c|tc)?sh|busybox|env|script|setsid|nohup|timeout|sleep|expect|socat|node|bun|deno|python[\d.]*|perl|ruby|php|make|npm.*|npx.*)$/;
/** As the first process of a container these start shells for people themselves. */
const STARTS_SHELLS = /^(?:(?:ba|da|z|k|fi)?sh|.*tty.*|sshd.*|dropbear|login)$/;

/**
 * The process that took the place of the lost parents, if there is one: the topmost of ours is a left-behind shell, it
 * was adopted by the first process or a user's service manager, and it is younger than a client that was seen here. An
 * agent's processes always are. Undefined where nothing is known about processes.
 */
export function adopterOf(pid: number, clients: readonly Client[]): string | undefined {
  const line = [pid, ...ancestorsOf(pid)];
  const at = line.findIndex((each) => isAdopter(lookUp(each)?.parent ?? 0));
  const top = line[at];
  const process = top === undefined ? undefined : lookUp(top);
  if (top === undefined || !process || !LEFT_BEHIND.test(nameOf(top))) return undefined;
  const younger = clients.some(({ started }) => Number(started) < Number(process.started));
  return younger ? nameOf(process.parent) : undefined;
}

function isAdopter(pid: number): boolean {
  return pid === 1 ? !STARTS_SHELLS.test(nameOf(1)) : pid > 1 && nameOf(pid) === "systemd";
}
