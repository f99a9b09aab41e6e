/**
 * The parts of this program. There are none yet: everything belongs to `State`, which every event needs. To add one, put its
 * reducer in `state/<name>/part.ts` and a line here. The build names the snapshots of a part by the hash of that file.
 */
import type { PartTable } from "./part.ts";

export const PARTS = {} satisfies PartTable;

export type Parts = typeof PARTS;
