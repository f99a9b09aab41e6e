/** How a person ends modes: of one session, or of all; what waits for a session goes with them. */
import type { ModeChange, ModeName, Modes } from "../state/modes.ts";
import type { State } from "../state/state.ts";
import { type ModeView, modeViews } from "../views/modes.ts";
import { keepAction } from "./action.ts";
import { here, orFail } from "./here.ts";
import { requirePerson, requirePersonSince } from "./person.ts";
import { paint, say, sayJson } from "./print.ts";
import { isRunning, type Named, sessionNamed, sessionsIn, severalSessions } from "./running.ts";

interface Wish {
  /** Undefined: every mode. */
  readonly mode?: ModeName;
  readonly session: string | undefined;
  readonly all?: boolean;
}

/** What was ended, as it stood before. */
export function endModes(verb: string, wish: Wish): readonly ModeView[] {
  requirePerson(verb);
  const { store } = here();
  const before = orFail(store.read());
  const from = requirePersonSince(verb, before);
  const now = Date.now();
  const change: ModeChange = {
    record: "mode",
    do: "stop",
    ...(wish.mode !== undefined && { mode: wish.mode }),
    why: "cancelled",
    unowned: true,
  };
  const [action = verb, ...rest] = verb.split(" ");
  const detail = `${[...rest, wish.mode ?? "all modes"].join(" ")}, from ${from}`;
  const held = targets(before, wish, now).filter(([, { modes }]) => holds(modes, wish.mode));
  for (const [session] of held) keepAction(store, { action, detail, session, changes: [change] }, now);
  if (held.length === 0 && holds(before.modes, wish.mode))
    keepAction(store, { action, detail, changes: [change] }, now);
  return gone(before, orFail(store.read()), now);
}

function holds(modes: Modes | undefined, name: ModeName | undefined): boolean {
  return name === undefined ? modes !== undefined : modes?.[name] !== undefined;
}

/** Where nobody says which: the only one. Those that run are meant before those that are over. */
function targets(state: State, { mode, session, all = false }: Wish, now: number): readonly Named[] {
  if (session !== undefined) return [sessionNamed(state, session)];
  const owners = sessionsIn(state).filter(([, { modes }]) => holds(modes, mode));
  if (all) return owners;
  const running = owners.filter(([, one]) => isRunning(one, now));
  const meant = running.length > 0 ? running : owners;
  if (meant.length <= 1) return meant;
  const how = `Several sessions have ${mode ?? "modes"}. Say which with --session`;
  throw severalSessions(meant, `${how}${mode === undefined ? ", or end all with --all" : ""}:`, now);
}

function gone(before: State, after: State, now: number): readonly ModeView[] {
  const views = (state: State) => modeViews(state, now, (one) => isRunning(one, now));
  const left = views(after);
  return views(before).filter(({ mode, session }) => !left.some((one) => one.mode === mode && one.session === session));
}

export function sayEnded(ended: readonly ModeView[], none: string, json: boolean): number {
  if (json) sayJson({ ended });
  else if (ended.length === 0) say(`${none} Nothing was changed.`);
  for (const { mode, session, count, max } of json ? [] : ended) {
    const whose =
      session === null ? `${mode}, which waited for a session` : `${mode} ${count}/${max} of session ${session}`;
    say(`${paint.green("✔")} ended: ${whose}`);
  }
  return 0;
}
