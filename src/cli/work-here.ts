/** The work tree a command stands in: its checks, how it stands, and the session that last worked in it. */
import type { ChildProcess } from "node:child_process";
import * as childProcess from "node:child_process";
import type { CheckedTree } from "../kernel/facts.ts";
import type { Known } from "../kernel/verification.ts";
import { newSession } from "../state/session.ts";
import type { State } from "../state/state.ts";
import { sha256Hex } from "../store/digest.ts";
import { checkedTree } from "../world/checking.ts";
import { runNow } from "../world/errand.ts";
import { treeDigest } from "../world/tree-digest.ts";
import { rootOf } from "../world/work-tree.ts";
import { type Here, here, orFail } from "./here.ts";
import { type Named, sessionNamed, sessionsIn } from "./running.ts";

export interface WorkHere {
  readonly here: Here;
  readonly state: State;
  readonly tree: CheckedTree;
  /** The newest session of the project, or the one that was asked for. */
  readonly sessionId: string | undefined;
  readonly known: Known;
}

/** More than a hook may take: nobody is held up here. */
const LOOK_MS = 30_000;

export function workHere(asked?: string): WorkHere {
  const found = here();
  const state = orFail(found.store.read());
  const now = Date.now();
  const root = rootOf(process.cwd(), found.places.project);
  const { settings } = found.settings;
  const [sessionId, session] = sessionIn(state, asked) ?? [undefined, newSession(now)];
  const tree = {
    ...checkedTree(root, { settings, digest: sha256Hex, places: found.places }),
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
  return treeDigest(root, `command-${process.pid}`, {
    env: process.env,
    places,
    settings,
    digest: sha256Hex,
    run: (errand) => runNow({ ...errand, timeMs: LOOK_MS }, childProcess),
    clock,
    deadline: clock() + LOOK_MS,
  });
}

function sessionIn(state: State, asked: string | undefined): Named | undefined {
  return asked === undefined ? sessionsIn(state)[0] : sessionNamed(state, asked);
}

/** Runs a check as a person would type it. */
export function startCheck(command: string, root: string, output: "inherit" | "pipe"): ChildProcess {
  return childProcess.spawn("/bin/sh", ["-c", command], { cwd: root, stdio: ["ignore", output, output] });
}
