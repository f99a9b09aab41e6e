/** Imports and exports the mode states of another harness. */
import { own } from "../../lib/keyed.ts";
import { MODES, type ModeName, type Modes, modeInForce } from "../../state/session/modes.ts";
import { fold, type State } from "../../state/state.ts";
import { type ModeState, modeState, readModeStates } from "../../store/formats/mode-states.ts";
import type { ImportRow } from "../../views/import.ts";
import { isoTime } from "../../views/time.ts";
import { sessionsIn } from "../queries/sessions.ts";
import type { Plan, PlannedChange } from "./import-plan.ts";

export function planModes(text: string, name: string, before: State, now: number): Plan | { readonly problem: string } {
  const reading = readModeStates(text, name, now);
  if ("problem" in reading) return reading;
  const notes = [...reading.notes];
  const changes: PlannedChange[] = [];
  const rows: ImportRow[] = [];
  let state = before;
  for (const found of reading.value) {
    const known = found.session !== undefined && own(state.sessions, found.session) !== undefined;
    const session = known ? found.session : undefined;
    const what = `${found.name}${session === undefined ? "" : ` of ${session}`}`;
    const held = progressOf(state, session, found.name);
    const why = found.over ?? notWanted(found, modesOf(state, session), now);
    if (why !== undefined || !found.start) {
      notes.push(`${what} is not imported: ${why}.`);
      rows.push({ what, before: held, after: held });
      continue;
    }
    if (session === undefined) notes.push(`${what} waits: the next session in which a person speaks takes it up.`);
    const planned = { change: found.start, ...(session !== undefined && { session }) };
    state = withChange(state, planned, now);
    changes.push(planned);
    rows.push({ what, before: held, after: progressOf(state, session, found.name) });
  }
  return { changes, notes, rows };
}

/** The state as it will be once the change is recorded. */
export function withChange(state: State, { change, session }: PlannedChange, now: number): State {
  const action = {
    kind: "action",
    action: "import",
    ...(session !== undefined && { session }),
    changes: [change],
  } as const;
  return fold(state, { ...action, rid: "", t: now });
}

function modesOf(state: State, session: string | undefined): Modes {
  return (session === undefined ? state.modes : own(state.sessions, session)?.modes) ?? {};
}

/** Rejects a mode that is already in force, or whose starting mode is not: it would continue on its own. */
function notWanted({ name, start }: ModeState, modes: Modes, now: number): string | undefined {
  if (modeInForce(modes, name, now)) return "it is in force already";
  const by = start?.with;
  return by !== undefined && !modeInForce(modes, by, now)
    ? `it was started by ${by}, which is not in force; import that first`
    : undefined;
}

function progressOf(state: State, session: string | undefined, name: ModeName): string | null {
  const mode = modesOf(state, session)[name];
  return mode ? `${mode.count}/${mode.max}, since ${isoTime(mode.since)}` : null;
}

/** Prints one line per mode. */
export function modeLines(state: State): string {
  const owners = [
    ...sessionsIn(state).map(([id, { modes }]) => [id, modes ?? {}] as const),
    [undefined, state.modes ?? {}] as const,
  ];
  const lines = owners.flatMap(([session, modes]) =>
    MODES.flatMap((name) => {
      const mode = modes[name];
      return mode ? [`${JSON.stringify(modeState(name, mode, session, isoTime))}\n`] : [];
    }),
  );
  return lines.join("");
}
