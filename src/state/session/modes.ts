/** Modes: tasks that continue until they are done, and their progress. */

/** In order of priority. */
export const MODES = ["persistent", "qa", "turbo"] as const;
export type ModeName = (typeof MODES)[number];

/** The starter. `mode`: another mode, with which it ends. `agent`: the agent itself, by a Sekisho command. */
export type Starter = "prompt" | "command" | "mode" | "import" | "agent";

/** Why the mode ended. */
export type ModeEnd = "done" | "cancelled" | "spent" | "stuck";

export interface Mode {
  readonly since: number;
  /** When it last refused the end of a turn. */
  readonly checkedAt?: number;
  readonly by: Starter;
  /** The start of the person's request. */
  readonly task: string;
  /** Number of refusals so far and the limit, over all turns; neither is ever reset. */
  readonly count: number;
  readonly max: number;
  /** The plan file whose checkboxes say when it is done. */
  readonly plan?: string;
  /** The phrase that declares it done without a plan, and whether it was said while something else was still owed. */
  readonly promise?: string;
  readonly promised?: true;
  /** Check results at the last refusals, oldest first. */
  readonly errors?: readonly string[];
  /** Failed commands since each last succeeded, oldest first: `command: error`. */
  readonly failures?: readonly string[];
  /** The agent was already asked to analyse a repeated failure. */
  readonly analysed?: true;
  /** The mode that started it and with which it ends. */
  readonly with?: ModeName;
  /** Why it blocks nothing until the person's next prompt. */
  readonly paused?: string;
}

export type Modes = Readonly<Partial<Record<ModeName, Mode>>>;

export type ModeChange =
  | {
      readonly record: "mode";
      readonly do: "start";
      readonly mode: ModeName;
      readonly by: Starter;
      readonly task: string;
      readonly max: number;
      readonly plan?: string;
      readonly promise?: string;
      readonly with?: ModeName;
      /** Progress of an imported mode. */
      readonly since?: number;
      readonly checkedAt?: number;
      readonly count?: number;
      readonly errors?: readonly string[];
    }
  /** Without a name: all modes. `unowned`: also waiting ones. */
  | {
      readonly record: "mode";
      readonly do: "stop";
      readonly mode?: ModeName;
      readonly why: ModeEnd;
      readonly unowned?: true;
    }
  | {
      readonly record: "mode";
      readonly do: "refuse";
      readonly mode: ModeName;
      readonly plan?: string;
      readonly error?: string;
      readonly analysed?: true;
      /** The repeated failure that the agent was told to look into; it is counted anew. */
      readonly faced?: string;
    }
  /** A command failed, or succeeded after it had failed. For all modes. */
  | { readonly record: "mode"; readonly do: "fail"; readonly failure: string }
  | { readonly record: "mode"; readonly do: "recover"; readonly command: string }
  | { readonly record: "mode"; readonly do: "promise"; readonly mode: ModeName }
  | { readonly record: "mode"; readonly do: "pause"; readonly why: string }
  /** Takes over waiting modes, or those of the session that this one continues. */
  | { readonly record: "mode"; readonly do: "claim" }
  | { readonly record: "mode"; readonly do: "adopt"; readonly from: string };

export const STALE_MS = 24 * 3600 * 1000;
const ERRORS_MAX = 10;

export function isStale({ since, checkedAt = 0 }: Pick<Mode, "since" | "checkedAt">, now: number): boolean {
  return now - Math.max(since, checkedAt) > STALE_MS;
}

/** Active modes, by priority. A paused mode is active but blocks nothing. */
export function modesInForce(modes: Modes = {}, now: number): readonly (Mode & { readonly name: ModeName })[] {
  return MODES.flatMap((name) => {
    const mode = modes[name];
    return mode && !isStale(mode, now) ? [{ ...mode, name }] : [];
  });
}

/** Without modes that another mode started: the person did not name them, and they end with it. */
export function unled<M extends Mode & { readonly name: ModeName }>(modes: readonly M[]): readonly M[] {
  return modes.filter((mode) => !modes.some(({ name }) => name === mode.with));
}

export function modeInForce(modes: Modes | undefined, name: ModeName, now: number): Mode | undefined {
  const mode = modes?.[name];
  return mode && !isStale(mode, now) ? mode : undefined;
}

/** Modes of one session. An active mode is not restarted, unless the agent started it and now a person does. */
export function reduceModes(modes: Modes, change: ModeChange, now: number): Modes {
  switch (change.do) {
    case "start":
      return isKept(modeInForce(modes, change.mode, now), change.by)
        ? modes
        : { ...modes, [change.mode]: startedBy(change, now) };
    case "stop":
      return change.mode === undefined ? {} : without(modes, change.mode);
    case "refuse":
      return updated(modes, change.mode, (mode) => ({
        ...mode,
        count: mode.count + 1,
        checkedAt: now,
        ...(change.plan !== undefined && { plan: change.plan }),
        ...(change.error !== undefined && { errors: [...(mode.errors ?? []), change.error].slice(-ERRORS_MAX) }),
        ...(change.analysed && { analysed: true }),
        ...(change.faced !== undefined && { failures: (mode.failures ?? []).filter((one) => one !== change.faced) }),
      }));
    case "fail":
      return each(modes, (mode) => ({
        ...mode,
        failures: [...(mode.failures ?? []), change.failure].slice(-ERRORS_MAX),
      }));
    case "recover":
      return each(modes, ({ failures = [], ...mode }) => {
        const left = failures.filter((one) => !one.startsWith(`${change.command}: `));
        return left.length === 0 ? mode : { ...mode, failures: left };
      });
    case "promise":
      return updated(modes, change.mode, (mode) => ({ ...mode, promised: true }));
    case "pause":
      return each(modes, (mode) => ({ ...mode, paused: change.why }));
    default:
      return modes;
  }
}

/** The person's prompt ends every pause. */
export function resumedModes(modes: Modes): Modes {
  return each(modes, ({ paused: _, ...mode }) => mode);
}

function each(modes: Modes, update: (mode: Mode) => Mode): Modes {
  return MODES.reduce((all, name) => updated(all, name, update), modes);
}

/** A mode that the agent started must not block one that a person starts. */
function isKept(held: Mode | undefined, by: Starter): boolean {
  return held !== undefined && (held.by !== "agent" || by === "agent");
}

function startedBy(change: ModeChange & { readonly do: "start" }, now: number): Mode {
  const { record: _, do: __, mode: ___, since = now, count = 0, ...rest } = change;
  return { ...rest, since, count };
}

/** Also removes the modes that it started. */
function without(modes: Modes, ended: ModeName): Modes {
  const kept = MODES.filter((name) => name !== ended && modes[name]?.with !== ended);
  return Object.fromEntries(kept.flatMap((name) => (modes[name] ? [[name, modes[name]]] : [])));
}

function updated(modes: Modes, name: ModeName, update: (mode: Mode) => Mode): Modes {
  const mode = modes[name];
  return mode ? { ...modes, [name]: update(mode) } : modes;
}

export function knownMode(word: string): ModeName | undefined {
  return MODES.find((name) => name === word);
}
