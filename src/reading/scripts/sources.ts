/**
 * Finds the source of a script that the same line first puts in place, since the file there now is not the one that
 * will run.
 */

import { directoryOf } from "../../lib/paths.ts";
import type { Operation } from "../operation/operation.ts";
import type { ScriptRun } from "./run.ts";

const TRANSFERS = /^(?:cp|mv|ln|install|rsync|dd|scp)$/;

/** The same run for each file that would be copied, moved or linked to that path. */
export function sourcesOf(run: ScriptRun, { effects }: Operation): readonly ScriptRun[] {
  const moved = effects.filter(
    ({ kind, by, path }) =>
      kind === "write" && TRANSFERS.test(by) && (path === run.path || path === directoryOf(run.path)),
  );
  const from = effects.filter(
    ({ kind, invocation, literal }) =>
      kind !== "write" && literal && moved.some((one) => one.invocation === invocation),
  );
  return from.map(({ path, spelled }) => ({ ...run, path, spelled }));
}

/** An inline program mentions the file and could write it first, so its later content is unknown. */
export function isMadeHere({ path, as }: ScriptRun, { shell }: Operation): boolean {
  if (as === "package" || as === "make" || as === "patch") return false;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return shell?.programs.some(({ text }) => text.includes(name) && COULD_WRITE.test(text)) ?? false;
}

const COULD_WRITE = /write|dump|copy|rename|move|system|exec|spawn|popen|subprocess|["'][rb]*[wax][b+]*["']/i;
