/** Where a script comes from that the same line puts in its place: what is there now is not what will run. */
import type { Operation } from "./operation.ts";
import { directoryOf } from "./paths.ts";
import type { ScriptRun } from "./script-run.ts";

const TRANSFERS = /^(?:cp|mv|ln|install|rsync|dd|scp)$/;

/** The same run of the files that would be copied, moved or linked there. */
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

/** A program on the line speaks of it and could write it first: what it will be then is not known. */
export function isMadeHere({ path, as }: ScriptRun, { shell }: Operation): boolean {
  if (as === "package" || as === "make" || as === "patch") return false;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return shell?.programs.some(({ text }) => text.includes(name) && COULD_WRITE.test(text)) ?? false;
}

const COULD_WRITE = /write|dump|copy|rename|move|system|exec|spawn|popen|subprocess|["'][rb]*[wax][b+]*["']/i;
