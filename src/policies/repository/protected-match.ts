/** Whether a change reaches a line of the list of protected files. */
import type { ProtectedFiles } from "../../kernel/facts.ts";
import { type Name, namesOf, pathsMeet } from "../../lib/path-meeting.ts";
import type { Reach } from "./reach.ts";

export function isReached({ places, paths, isThere }: ProtectedFiles, { names, how }: Reach): boolean {
  if (how !== "path" && !isThere) return false;
  return (
    places.some(({ everywhere, atRoot }) => meet(how === "below" ? atRoot : everywhere, names)) ||
    paths.some((path) => meet(namesOf(path, false), names))
  );
}

/** A quick test that rejects most pairs: two plain final names must be equal. */
function meet(listed: readonly Name[], named: readonly Name[]): boolean {
  const [a, b] = [listed.at(-1), named.at(-1)];
  const differ = a && b && !a.isPattern && !b.isPattern && a.text !== b.text;
  return !differ && pathsMeet(listed, named);
}
