/** The client that is installed here: its version, and what that version means for us. */
import { spawnSync } from "node:child_process";

export interface Client {
  readonly version: string;
  /** It blocks an action when a hook of ours fails. Older ones run it. */
  readonly failsClosed: boolean;
}

/** The first client that knows `onFailure`. */
export const FAILS_CLOSED_SINCE = "2.1.295";

const MS_MAX = 5000;

/** Undefined when there is none on the PATH, or none that says which it is. */
export function findClient(): Client | undefined {
  const { stdout } = spawnSync("claude", ["--version"], {
    encoding: "utf8",
    timeout: MS_MAX,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const version = /^v?(\d+\.\d+\.\d+)/.exec(stdout?.trim() ?? "")?.[1];
  return version === undefined ? undefined : { version, failsClosed: isAtLeast(version, FAILS_CLOSED_SINCE) };
}

/** What the client means for us, in a line. */
export function clientLine(client: Client | undefined): string {
  if (!client) return `none was found on the PATH; the hooks wait for one (${FAILS_CLOSED_SINCE} or newer)`;
  return client.failsClosed
    ? `Claude Code ${client.version}, which blocks an action when a hook of ours fails`
    : `Claude Code ${client.version}, which runs an action when a hook of ours fails; ${FAILS_CLOSED_SINCE} and newer block it`;
}

function isAtLeast(version: string, wanted: string): boolean {
  const [have, need] = [version, wanted].map((text) => text.split(".").map(Number));
  const differing = need?.findIndex((part, at) => part !== have?.[at]) ?? -1;
  return differing < 0 || (have?.[differing] ?? 0) > (need?.[differing] ?? 0);
}
