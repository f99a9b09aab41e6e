/** Detects a process that detached from its parents, so that no agent is among its ancestors any more. */
import type { HostProcess } from "../../state/session/session.ts";
import { ancestorsOf, nameOf } from "./agent-above.ts";
import { isOfThisBoot, lookUp } from "./caller.ts";

/**
 * Programs an agent's shell can leave running after a detach: shells, interpreters, and programs that run others. A
 * person's shell runs below a terminal, a login or a server.
 */
const SHELLS = "(?:ba|da|z|k|fi|c|tc)?sh|busybox";
const INTERPRETERS = "node|bun|deno|python[\\d.]*|perl|ruby|php|lua[\\d.]*|tclsh[\\d.]*|[gm]?awk|java|gdb";
const RUNNERS =
  "env|script|setsid|nohup|timeout|sleep|expect|unbuffer|socat|make|npm.*|npx.*|find|fd|xargs|parallel|git|tar|rsync|watch|entr|strace|ltrace|unshare|nsenter|nice|ionice|taskset|stdbuf|flock|chrt|prlimit|go|cargo";
const LEFT_BEHIND = new RegExp(`^(?:${SHELLS}|${INTERPRETERS}|${RUNNERS})$`);
/** As process 1 of a container, these programs start shells for people themselves. */
const STARTS_SHELLS = /^(?:(?:ba|da|z|k|fi)?sh|.*tty.*|sshd.*|dropbear|login)$/;

/**
 * Name of the process that adopted a detached one, if any: the topmost process of the chain is a shell or script
 * runner, it was adopted by process 1 or by systemd, and it is younger than a host seen in this project since the machine
 * was started, as an agent's processes always are. Undefined where process data is not available.
 */
export function adopterOf(pid: number, hosts: readonly HostProcess[]): string | undefined {
  const line = [pid, ...ancestorsOf(pid)];
  const at = line.findIndex((each) => isAdopter(lookUp(each)?.parent ?? 0));
  const top = line[at];
  const process = top === undefined ? undefined : lookUp(top);
  if (top === undefined || !process || !LEFT_BEHIND.test(nameOf(top))) return undefined;
  const younger = hosts.some((host) => Number(host.started) < Number(process.started) && isOfThisBoot(host));
  return younger ? nameOf(process.parent) : undefined;
}

function isAdopter(pid: number): boolean {
  return pid === 1 ? !STARTS_SHELLS.test(nameOf(1)) : pid > 1 && nameOf(pid) === "systemd";
}
