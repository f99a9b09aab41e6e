/** Reserves files for the session above this shell, and gives them back. */
import { inline } from "../../lib/text.ts";
import type { State } from "../../state/state.ts";
import { newRid } from "../../store/journal/rid.ts";
import { type ClaimView, claimView } from "../../views/inbox.ts";
import { isAlive } from "../../world/machine/caller.ts";
import { rootOf } from "../../world/machine/work-tree.ts";
import { isPerson } from "../mail/actor.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { holderName } from "../queries/claims.ts";
import { type Named, sessionAbove } from "../queries/sessions.ts";

const GLOB_CHARS = 200;

export function claimFiles(place: Here, given: string, now = Date.now()): ClaimView {
  const glob = globOf(given);
  const state = orFail(place.store.read(["claims"]));
  const above = sessionHere(state, now);
  const [session, { client }] = above;
  if (!client) throw new Problem("The process of this session is not known, and a claim ends with its process.");
  const root = rootOf(process.cwd(), place.places.project);
  const name = holderName(above, place);
  const other = Object.values(state.claims.held).find(
    (one) => one.holder.session !== session && one.root === root && one.glob === glob && isAlive(one.holder),
  );
  if (other) throw new Problem(`${inline(other.holder.actor, 40)} has reserved ${inline(glob)} already.`);
  const holder = { actor: name, session, ...client };
  const record = { kind: "claim", do: "take", id: newRid(), root, glob, holder } as const;
  orFail(place.store.append(record, now, { durable: true }));
  return claimView({ ...record, name, at: now, how: "reserved" });
}

/** Without a pattern: everything that the session has reserved or written. */
export function releaseFiles(place: Here, given: string | undefined, now = Date.now()): { readonly released: string } {
  const glob = given === undefined ? {} : { glob: globOf(given) };
  const [session] = sessionHere(orFail(place.store.read()), now);
  const root = rootOf(process.cwd(), place.places.project);
  orFail(place.store.append({ kind: "claim", do: "release", session, root, ...glob }, now, { durable: true }));
  return { released: given ?? "everything" };
}

function sessionHere(state: State, now: number): Named {
  const above = isPerson(state) ? undefined : sessionAbove(state, process.pid, now);
  if (above) return above;
  throw new Problem(
    "Only a running session can reserve files: the claim ends with its process.\n" +
      "Run this in an agent's shell. `sekisho agents claims` shows who has reserved what.",
  );
}

function globOf(given: string): string {
  const glob = given.trim();
  const isGood = glob !== "" && glob.length <= GLOB_CHARS && !glob.split("/").includes("..");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would reach a terminal.
  if (isGood && !/[\u0000-\u001f\u007f]/.test(glob)) return glob;
  throw new Problem("Usage: sekisho agents claim PATTERN, such as src/login/** or README.md, inside the work tree.");
}
