/**
 * The parts of this program: what not every event needs. To add one, put its reducer in `state/<name>/part.ts` and a line
 * here. The build names the snapshots of a part by the hash of that file.
 */
import { claims } from "./claims/part.ts";
import { inbox } from "./inbox/part.ts";
import { letters } from "./letters/part.ts";
import type { PartTable } from "./part.ts";
import { runs } from "./runs/part.ts";
import { wakes } from "./wakes/part.ts";

/** Getters, because an event that needs no part does not run the files either. */
export const PARTS = {
  get claims() {
    return claims;
  },
  get inbox() {
    return inbox;
  },
  get letters() {
    return letters;
  },
  get runs() {
    return runs;
  },
  get wakes() {
    return wakes;
  },
} satisfies PartTable;

export type Parts = typeof PARTS;
export type PartName = keyof Parts;
