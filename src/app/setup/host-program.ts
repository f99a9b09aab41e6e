/** Finds the installed host and what its version supports. */
import { spawnSync } from "node:child_process";
import { setup } from "../host.ts";

export interface HostProgram {
  readonly version: string;
  /** True if the host blocks an action when one of our hooks fails. Older versions run the action. */
  readonly failsClosed: boolean;
}

const MS_MAX = 5000;

/** Undefined when no host is on the PATH or its version cannot be read. */
export function findHost(): HostProgram | undefined {
  const { stdout } = spawnSync(setup.program, ["--version"], {
    encoding: "utf8",
    timeout: MS_MAX,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const version = /^v?(\d+\.\d+\.\d+)/.exec(stdout?.trim() ?? "")?.[1];
  return version === undefined ? undefined : { version, failsClosed: isAtLeast(version, setup.failsClosedSince) };
}

/** Describes in one line what the host's version means for Sekisho. */
export function hostLine(found: HostProgram | undefined): string {
  if (!found) return `none was found on the PATH; the hooks wait for one (${setup.failsClosedSince} or newer)`;
  const name = `${setup.title} ${found.version}`;
  return found.failsClosed
    ? `${name}, which blocks an action when a hook of ours fails`
    : `${name}, which runs an action when a hook of ours fails; ${setup.failsClosedSince} and newer block it`;
}

/** Both are numbers with dots. */
export function isAtLeast(version: string, wanted: string): boolean {
  const [have, need] = [version, wanted].map((text) => text.split(".").map(Number));
  const differing = need?.findIndex((part, at) => part !== have?.[at]) ?? -1;
  return differing < 0 || (have?.[differing] ?? 0) > (need?.[differing] ?? 0);
}
