/** The files that running sessions have reserved, or have changed and not committed. */
import { relative } from "node:path";
import { writtenAt } from "../../state/session/refused.ts";
import { type ClaimView, claimView } from "../../views/inbox.ts";
import { releasedAt } from "../../world/facts/agents/claimed.ts";
import { isAlive } from "../../world/machine/caller.ts";
import { rootOf } from "../../world/machine/work-tree.ts";
import { host } from "../host.ts";
import { type Here, orFail } from "../project.ts";
import { isRunning, type Named, sessionsIn } from "./sessions.ts";
import { uncommittedAt } from "./uncommitted.ts";

/** What an ended session had is free. */
export function claimsHere(place: Here, now = Date.now()): readonly ClaimView[] {
  const { claims, ...state } = orFail(place.store.read(["claims"]));
  const running = sessionsIn(state).filter(([, session]) => isRunning(session, now));
  const reserved = Object.values(claims.held).flatMap((claim) => {
    const holder = running.find(([id]) => id === claim.holder.session);
    return holder && isAlive(claim.holder)
      ? [claimView({ ...claim, name: holderName(holder, place), how: "reserved" })]
      : [];
  });
  const root = rootOf(process.cwd(), place.places.project);
  const open = uncommittedAt(root);
  const changed = running.flatMap((one) => {
    const [id, session] = one;
    const files = (session.written ?? []).filter(
      (path) => open.includes(relative(root, path)) && writtenAt(session, path) > releasedAt(path, id, claims),
    );
    return files.map((path) => {
      const at = writtenAt(session, path);
      return claimView({ glob: relative(root, path), root, name: holderName(one, place), how: "changed", at });
    });
  });
  return [...reserved, ...changed];
}

/** Its name among the agents, or the one by which the host's own messages find it. */
export function holderName([id, { actor }]: Named, { places }: Here): string {
  if (actor !== undefined) return actor;
  const peers = host.peersOf?.({ env: process.env, places }) ?? [];
  return peers.find(({ session }) => session === id)?.name ?? id.slice(0, 8);
}
