/** A session that has changed these files since the person's request, for examples and tests. */
import { boundSession } from "../../state/session/example-session.ts";
import type { Session } from "../../state/session/session.ts";
import { PLACE } from "../example.ts";

export function grownSession(...paths: readonly string[]): Session {
  const files = Object.fromEntries(paths.map((path) => [path, 500]));
  return { ...boundSession(), growth: { since: 100, trees: { [PLACE]: { commit: "", at: 100, files } } } };
}
