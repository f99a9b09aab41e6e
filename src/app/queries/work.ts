/** The work tree of the current directory: its checks, its state, and the session that last worked in it. */
import * as childProcess from "node:child_process";
import type { CheckedTree } from "../../evidence/tree.ts";
import type { Known } from "../../evidence/verification.ts";
import { driveNow, running } from "../../kernel/drive.ts";
import { newSession } from "../../state/session/session.ts";
import type { State } from "../../state/state.ts";
import { sha256Hex } from "../../store/digest.ts";
import { checkedTree } from "../../world/facts/checking.ts";
import { runNow } from "../../world/machine/program.ts";
import { treeDigest } from "../../world/machine/tree-digest.ts";
import { rootOf } from "../../world/machine/work-tree.ts";
import { host } from "../host.ts";
import { type Here, here, orFail } from "../project.ts";
import { stateAsSeen } from "../witness.ts";
import { type Named, sessionNamed, sessionsIn } from "./sessions.ts";

export interface WorkHere {
  readonly here: Here;
  readonly state: State;
  readonly tree: CheckedTree;
  /** The newest session of the project, or the given one. */
  readonly sessionId: string | undefined;
  readonly known: Known;
}

/** Longer than a hook may take, because no tool call waits here. */
const LOOK_MS = 30_000;

export function workHere(asked?: string): WorkHere {
  const found = here();
  const now = Date.now();
  const state = stateSeen(orFail(found.store.read()), asked, now);
  const root = rootOf(process.cwd(), found.places.project);
  const { settings } = found.settings;
  const [sessionId, session] = sessionIn(state, asked) ?? [undefined, newSession(now)];
  const tree = {
    ...checkedTree(root, { settings, digest: sha256Hex, places: found.places }, session.named),
    digest: digestNow(found, root),
  };
  const person = state.checks ?? {};
  return { here: found, state, tree, sessionId, known: { session, person, verify: settings.verify, now } };
}

export function digestNow(
  { places, settings: { settings } }: Pick<Here, "places" | "settings">,
  root: string,
): NonNullable<CheckedTree["digest"]> {
  const clock = (): number => Date.now();
  const looking = { env: process.env, places, settings, digest: sha256Hex, clock, deadline: clock() + LOOK_MS };
  const steps = treeDigest(root, `command-${process.pid}`, looking);
  return driveNow(
    steps,
    running((program) => runNow({ ...program, timeMs: LOOK_MS }, childProcess)),
  );
}

/** What the session has just shown counts here too, although no event has read the transcript since. */
function stateSeen(state: State, asked: string | undefined, now: number): State {
  const [id] = sessionIn(state, asked) ?? [];
  return id === undefined ? state : stateAsSeen(state, id, host, now);
}

function sessionIn(state: State, asked: string | undefined): Named | undefined {
  return asked === undefined ? sessionsIn(state)[0] : sessionNamed(state, asked);
}
