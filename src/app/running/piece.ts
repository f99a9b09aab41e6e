/** A pass that was begun, and what it works with. */
import { join } from "node:path";
import type { Move } from "../../pipeline/run/move.ts";
import type { Guard } from "./guard.ts";
import { type Site, slug } from "./site.ts";

export type Begin = Move & { readonly do: "begin" };

export interface Pass extends Site {
  readonly move: Begin;
  readonly session: string;
  readonly guard: Guard;
  readonly log: string;
  /** Why the pass before it failed. */
  readonly before: string | undefined;
  /** The test that was seen failing. */
  readonly red: string | undefined;
}

export const logOf = (site: Site, { node, attempt }: Pick<Begin, "node" | "attempt">): string =>
  join(site.directory, `${slug(node.key)}.${attempt}.log`);
