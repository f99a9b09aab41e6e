/** Whether a host runs in the panes that a command would type into. Only such commands look it up. */
import { readdirSync } from "node:fs";
import { run, type Steps } from "../../kernel/effect.ts";
import { type Facts, isUnknown, type PaneUse, type Unknown } from "../../kernel/facts.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import { type Pane, paneKey, typingIn } from "../../reading/operation/typing.ts";
import type { State } from "../../state/state.ts";
import type { LookingHost } from "../host.ts";
import { hostProcesses } from "../machine/caller.ts";
import type { Environment } from "../machine/places.ts";
import { atTerminalOf } from "../machine/process-table.ts";
import { askingTmux } from "../machine/tmux.ts";

interface Looking {
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly places: Pick<Facts["places"], "home" | "hostRecords">;
  readonly host: Pick<LookingHost, "traits">;
  readonly state: State | Unknown;
  readonly deadline: number;
  readonly clock: () => number;
}

const PANES_MAX = 8;
const TIME_MS = 2000;
const RESERVE_MS = 700;

export function* panesOf(from: Looking): Steps<Facts["panes"]> {
  const shell = from.operation?.shell;
  const typed = shell ? typingIn(shell).flatMap(({ pane }) => pane ?? []) : [];
  const wanted = new Map(typed.map((pane) => [paneKey(pane), pane]));
  const found: Record<string, PaneUse> = {};
  for (const [key, pane] of [...wanted].slice(0, PANES_MAX)) found[key] = yield* useOf(pane, from);
  return found;
}

function* useOf({ server, target }: Pane, from: Looking): Steps<PaneUse> {
  const { env, places, deadline, clock } = from;
  const timeMs = Math.round(Math.min(TIME_MS, deadline - clock() - RESERVE_MS));
  const asking = timeMs > 0 && askingTmux([...server], target, "#{pane_pid} #{pane_synchronized}", env);
  if (!asking) return "unknown";
  const result = yield* run({ ...asking, cwd: places.home, timeMs });
  const [, pid, synchronized] = ("text" in result ? /^(\d+) ([01]?)\s*$/.exec(result.text) : null) ?? [];
  if (pid === undefined || synchronized === "1") return "unknown";
  return usedBy(Number(pid), from);
}

/** Programs that pass on what is typed to a place that this machine's process table does not show. */
const CARRIERS =
  /^(?:ssh|mosh|docker|podman|nerdctl|kubectl|oc|lxc|incus|machinectl|tmux|screen|zellij|abduco|dtach|reptyr|socat|nc|ncat|telnet)/i;

function usedBy(pid: number, { host, state, places }: Looking): PaneUse {
  const all = atTerminalOf(pid);
  if (all.length === 0 || isUnknown(state)) return "unknown";
  const hosts = new Set([...hostProcesses(state).map((one) => one.pid), ...places.hostRecords.flatMap(registered)]);
  const { processNames } = host.traits;
  if (all.some((one) => hosts.has(one.pid) || processNames.includes(one.name))) return "host";
  return all.some(({ name }) => CARRIERS.test(name)) ? "unknown" : "free";
}

/** The host keeps a file per running session, named for its process. */
function registered(directory: string): readonly number[] {
  try {
    return readdirSync(directory).flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []));
  } catch {
    return [];
  }
}
