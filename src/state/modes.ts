/** Modes: what a person has asked to go on until it is done, and how far it has come. */

/** The order is their priority. */
export const MODES = ["persistent", "qa", "turbo"] as const;
export type ModeName = (typeof MODES)[number];

/** Who has started it. `mode`: another mode, which it ends with; `agent`: nobody but the agent itself, by our command. */
export type Starter = "prompt" | "command" | "mode" | "import" | "agent";

/** Why it is over. */
export type ModeEnd = "done" | "cancelled" | "spent" | "stuck";

export interface Mode {
  readonly since: number;
  /** When it last refused the end of a turn. */
  readonly checkedAt?: number;
  readonly by: Starter;
  /** The beginning of what the person asked for. */
  readonly task: string;
  /** How often it has refused, and how often it may: over all its turns, nothing refills it. */
  readonly count: number;
  readonly max: number;
  /** The file whose boxes say when it is done. */
  readonly plan?: string;
  /** The words that say it where there is no plan; and that they were said, while something else was still owed. */
  readonly promise?: string;
  readonly promised?: true;
  /** How the checks stood at the last refusals, oldest first. */
  readonly errors?: readonly string[];
  /** It was asked once to look for the cause of what fails again and again. */
  readonly analysed?: true;
  /** Started by this one, and ended with it. */
  readonly with?: ModeName;
  /** Why it holds nobody back until the person speaks again. */
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
      /** Of an imported one: how far it had come. */
      readonly since?: number;
      readonly checkedAt?: number;
      readonly count?: number;
      readonly errors?: readonly string[];
    }
  /** Without a name: all of them; `unowned`: also those that no session has taken up. */
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
    }
  | { readonly record: "mode"; readonly do: "promise"; readonly mode: ModeName }
  | { readonly record: "mode"; readonly do: "pause"; readonly why: string }
  /** Those that belong to nobody, or to a session that this one goes on with. */
  | { readonly record: "mode"; readonly do: "claim" }
  | { readonly record: "mode"; readonly do: "adopt"; readonly from: string };

export const STALE_MS = 24 * 3600 * 1000;
const ERRORS_MAX = 10;

/** Exactly a day is not stale. */
export function isStale({ since, checkedAt = 0 }: Pick<Mode, "since" | "checkedAt">, now: number): boolean {
  return now - Math.max(since, checkedAt) > STALE_MS;
}

/** Those in force, by priority. A paused one is in force, it only holds nobody back. */
export function modesInForce(modes: Modes = {}, now: number): readonly (Mode & { readonly name: ModeName })[] {
  return MODES.flatMap((name) => {
    const mode = modes[name];
    return mode && !isStale(mode, now) ? [{ ...mode, name }] : [];
  });
}

/** Without those that another has brought along: nobody has asked for them by name, and they go with it. */
export function unled<M extends Mode & { readonly name: ModeName }>(modes: readonly M[]): readonly M[] {
  return modes.filter((mode) => !modes.some(({ name }) => name === mode.with));
}

export function modeInForce(modes: Modes | undefined, name: ModeName, now: number): Mode | undefined {
  const mode = modes?.[name];
  return mode && !isStale(mode, now) ? mode : undefined;
}

/** Of one session. A mode that is in force is not started over, but for the person's where the agent has begun one of its own. */
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
      }));
    case "promise":
      return updated(modes, change.mode, (mode) => ({ ...mode, promised: true }));
    case "pause":
      return MODES.reduce((all, name) => updated(all, name, (mode) => ({ ...mode, paused: change.why })), modes);
    default:
      return modes;
  }
}

/** The person speaks: whatever held a mode up is over. */
export function resumedModes(modes: Modes): Modes {
  return MODES.reduce((all, name) => updated(all, name, ({ paused: _, ...mode }) => mode), modes);
}

/** What an agent has started for itself must not stand in the way of what a person starts. */
function isKept(held: Mode | undefined, by: Starter): boolean {
  return held !== undefined && (held.by !== "agent" || by === "agent");
}

function startedBy(change: ModeChange & { readonly do: "start" }, now: number): Mode {
  const { record: _, do: __, mode: ___, since = now, count = 0, ...rest } = change;
  return { ...rest, since, count };
}

/** With those that it has started. */
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
