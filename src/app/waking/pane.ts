/**
 * The pane of tmux in which a process sits, and typing into it. A pane is found by the terminal of the process, never by a name
 * or an option: those an agent can give to any pane.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import type { HostProcess } from "../../state/session/session.ts";
import { isAlive } from "../../world/machine/caller.ts";
import { tmuxProgram } from "../../world/machine/tmux.ts";

export interface Pane {
  /** The socket of its server. */
  readonly socket: string;
  readonly id: string;
  /** A person reads back, or what is typed goes to several panes at once. */
  readonly isHeld: boolean;
}

/** Why there is none to type into, as far as the process is concerned. */
export type NoPane = "it has no terminal" | "it is not in the foreground" | "it is not in tmux";

export function paneOf(client: HostProcess): Pane | NoPane {
  const { tty = 0, group, foreground } = isAlive(client) ? terminalOf(client.pid) : {};
  if (tty === 0) return "it has no terminal";
  // A shell, an editor or a pager reads the keys while the host is stopped.
  if (group !== foreground) return "it is not in the foreground";
  const socket = /^(\/.*),\d+,\d+$/.exec(variableOf(client.pid, "TMUX") ?? "")?.[1];
  const listed = socket === undefined ? undefined : askPane(socket, ["list-panes", "-a", "-F", FORMAT]);
  const found = listed?.split("\n").flatMap((line) => rowIn(line) ?? []);
  const pane = found?.find(({ device }) => device === tty);
  return socket !== undefined && pane ? { socket, id: pane.id, isHeld: pane.isHeld } : "it is not in tmux";
}

const FORMAT = "#{pane_id} #{pane_tty} #{pane_dead} #{pane_in_mode} #{pane_synchronized} #{pane_input_off}";
const ROW = /^(%\d{1,6}) (\/dev\/[\w/]{1,40}) 0 (\d+) ([01]?) ([01]?)$/;

function rowIn(line: string): { readonly id: string; readonly device: number; readonly isHeld: boolean } | undefined {
  const [, id = "", tty = "", modes, synchronized, off] = ROW.exec(line.trimEnd()) ?? [];
  const device = id === "" ? undefined : statSync(tty, { throwIfNoEntry: false })?.rdev;
  if (device === undefined) return undefined;
  return { id, device, isHeld: modes !== "0" || synchronized === "1" || off === "1" };
}

/** Empty if the pane is gone. */
export function screenOf({ socket, id }: Pane): string {
  return askPane(socket, ["capture-pane", "-p", "-t", id]) ?? "";
}

/** `-l`: the words as they are, not the names of keys. False if the pane is gone. */
export function typeInto({ socket, id }: Pane, words: string): boolean {
  return askPane(socket, ["send-keys", "-t", id, "-l", "--", words]) !== undefined;
}

export function pressIn({ socket, id }: Pane, ...keys: readonly string[]): boolean {
  return askPane(socket, ["send-keys", "-t", id, ...keys]) !== undefined;
}

const TIME_MS = 2000;

function askPane(socket: string, args: readonly string[]): string | undefined {
  const program = tmuxProgram();
  if (program === undefined) return undefined;
  const options = { env: { PATH: "/usr/bin:/bin" }, encoding: "utf8", timeout: TIME_MS } as const;
  const { status, stdout } = spawnSync(program, ["-u", "-S", socket, ...args], options);
  return status === 0 ? stdout : undefined;
}

interface Terminal {
  readonly tty?: number;
  readonly group?: number;
  readonly foreground?: number;
}

function terminalOf(pid: number): Terminal {
  const stat = procText(pid, "stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { group: Number(fields[2]), tty: Number(fields[4]), foreground: Number(fields[5]) };
}

/** The environment with which the process was started: nothing can change it later. */
function variableOf(pid: number, name: string): string | undefined {
  const line = procText(pid, "environ")
    .split("\0")
    .find((one) => one.startsWith(`${name}=`));
  return line?.slice(name.length + 1);
}

function procText(pid: number, file: "stat" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    // It has just ended, or there is no process table.
    void error;
    return "";
  }
}
