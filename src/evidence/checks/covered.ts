/** Tells whether runs of a check on parts of a project have looked at certain files; the places are those of `covers.ts`. */
import { baseName } from "../../lib/paths.ts";
import type { CheckName } from "../../state/check-names.ts";

/** True if every one of these files was looked at. */
export function areCovered(files: readonly string[], covers: readonly string[], check: CheckName): boolean {
  return files.every((file) => covers.some((one) => isCovered(file, one, check === "test")));
}

/** Tests stand beside the code or in a directory beside it, and are named for it. */
function isCovered(file: string, place: string, isTest: boolean): boolean {
  if (place === "" || file === place) return true;
  if (place.endsWith("/")) return file.startsWith(place) || (isTest && file.startsWith(testedBy(place) ?? place));
  return isTest && subjectOf(file) === subjectOf(place) && (!GENERIC.test(subjectOf(file)) || areNear(file, place));
}

const GENERIC = /^(?:index|main|mod|lib|utils?|helpers?|types|config|__init__)$/;

function areNear(file: string, test: string): boolean {
  const place = (path: string): string => path.replace(/[^/]*$/, "").replace(/(?:tests?|specs?|__tests__)\//g, "");
  return place(file) === place(test);
}

/** `pkg/tests/unit/` tests `pkg/`; undefined if it is no directory of tests. */
function testedBy(place: string): string | undefined {
  const [, before] = /^((?:.*\/)?)(?:tests?|specs?|__tests__)\/(?:.*\/)?$/.exec(place) ?? [];
  return before;
}

function subjectOf(path: string): string {
  return baseName(path)
    .replace(/\.\w+$/, "")
    .replace(/^test_|(?:[._-](?:test|spec)s?|Tests?)$/, "");
}
