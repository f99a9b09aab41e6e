/** Checks the evidence rules: an action needs fresh evidence first. */

import { ANY_DEPTH, namesOf, pathsMeet } from "../lib/path-meeting.ts";
import type { FileKind } from "../reading/operation/file-kind.ts";
import { protectedPlace } from "../reading/operation/protected-list.ts";
import type { EvidenceRule, Need, RuleEvent } from "../state/settings/evidence-rules.ts";

/** A file or set of files that an operation would change or a session has changed. */
export interface TouchedFile {
  readonly path: string;
  readonly spelled: string;
  readonly effect: "write" | "delete";
  readonly kind: FileKind;
  /** `pattern`: all matching files. `below`: a directory with its contents. */
  readonly how: "path" | "pattern" | "below";
  /** The file exists already. */
  readonly isThere: boolean;
}

/** Whether the evidence exists, and if not, why. */
export interface EvidenceState {
  readonly met: boolean;
  /** When the evidence was shown. If undefined, its freshness was already checked. */
  readonly at?: number;
  readonly why?: "missing" | "failed" | "stale" | "partial" | "other-agent";
}

export interface RuleGiven {
  readonly event: RuleEvent;
  /** The project's root; rule patterns are relative to it. */
  readonly root: string;
  readonly now: number;
  readonly files: readonly TouchedFile[];
  /** The state of a kind of evidence; for reads, that of the file. */
  readonly standing: (need: Need, file?: TouchedFile) => EvidenceState;
  /** The time of the last prompt and of the last code change; unknown times make nothing stale. */
  readonly turnAt?: number;
  readonly changedAt?: number;
}

export interface Unmet {
  readonly rule: EvidenceRule;
  readonly file?: TouchedFile;
  readonly why: NonNullable<EvidenceState["why"]>;
}

export function unmetRules(rules: readonly EvidenceRule[], given: RuleGiven): readonly Unmet[] {
  return rules.flatMap((rule) => (rule.when.event === given.event ? unmet(rule, given) : []));
}

/** The first file without evidence is enough. */
function unmet(rule: EvidenceRule, given: RuleGiven): readonly Unmet[] {
  const { need } = rule;
  if (!isAboutFiles(rule)) {
    const { met, why = "missing" } = freshly(need, given.standing(need), given);
    return met ? [] : [{ rule, why }];
  }
  const concerned = given.files.filter((file) => concerns(rule, file, given.root));
  // Only read evidence differs per file.
  const looked = need.evidence === "read" ? concerned : concerned.slice(0, 1);
  for (const file of looked) {
    const { met, why = "missing" } = freshly(need, given.standing(need, file), given);
    if (!met) return [{ rule, file, why }];
  }
  return [];
}

/** PreToolUse rules apply to changed files; a Stop rule may apply without files. */
function isAboutFiles({ when: { event, globs, kinds, effects } }: EvidenceRule): boolean {
  return event === "PreToolUse" || globs !== undefined || kinds !== undefined || effects !== undefined;
}

/** Evidence that exists but is too old counts as stale. */
export function freshly(
  { freshness }: Need,
  standing: EvidenceState,
  { now, turnAt = 0, changedAt }: Pick<RuleGiven, "now" | "turnAt" | "changedAt">,
): EvidenceState {
  const { met, at } = standing;
  if (!met || at === undefined || freshness === "session") return standing;
  const isFresh =
    freshness === "turn"
      ? at >= turnAt
      : freshness === "change"
        ? changedAt === undefined || at > changedAt
        : now - at <= freshness * 60_000;
  return isFresh ? standing : { met: false, at, why: "stale" };
}

function concerns({ when: { globs, kinds, effects }, need }: EvidenceRule, file: TouchedFile, root: string): boolean {
  if (effects !== undefined && !effects.includes(file.effect)) return false;
  if (kinds !== undefined && !(file.kind !== "other" && kinds.includes(file.kind))) return false;
  if (globs !== undefined && !globs.some((glob) => fits(glob, file, root))) return false;
  // A file that does not exist yet cannot have been read.
  return need.evidence !== "read" || (file.isThere && file.how === "path");
}

function fits(glob: string, { path, how }: TouchedFile, root: string): boolean {
  const { everywhere, atRoot } = protectedPlace(root, glob);
  const names = namesOf(path, how === "pattern");
  if (how !== "below") return pathsMeet(everywhere, names);
  // A pattern for any depth would match every directory.
  return !glob.startsWith("**") && pathsMeet(atRoot, [...names, ANY_DEPTH]);
}
