/** Before X there must be fresh evidence Y: the one place where rules are held against what was shown. */
import type { EvidenceRule, Need, RuleEvent } from "../state/evidence-rules.ts";
import type { FileKind } from "./file-kind.ts";
import { ANY_DEPTH, namesOf, pathsMeet } from "./path-meeting.ts";
import { protectedPlace } from "./protected-list.ts";

/** One file, or what may be several, that an operation would change or a session has changed. */
export interface TouchedFile {
  readonly path: string;
  readonly spelled: string;
  readonly effect: "write" | "delete";
  readonly kind: FileKind;
  /** `pattern`: whatever fits. `below`: a directory with all that is in it. */
  readonly how: "path" | "pattern" | "below";
  /** Something is there already. */
  readonly isThere: boolean;
}

/** Whether a need is met, and if not, why. */
export interface Standing {
  readonly met: boolean;
  /** When it was shown. Without it, whoever says "met" has seen to its freshness. */
  readonly at?: number;
  readonly why?: "missing" | "failed" | "stale" | "partial" | "other-agent";
}

export interface RuleGiven {
  readonly event: RuleEvent;
  /** The project's root: the patterns of rules are seen from there. */
  readonly root: string;
  readonly now: number;
  readonly files: readonly TouchedFile[];
  /** What is known of a kind of evidence; a read is about the file. */
  readonly standing: (need: Need, file?: TouchedFile) => Standing;
  /** When a person last spoke, and when code was last changed; what is not known makes nothing stale. */
  readonly turnAt?: number;
  readonly changedAt?: number;
}

export interface Unmet {
  readonly rule: EvidenceRule;
  readonly file?: TouchedFile;
  readonly why: NonNullable<Standing["why"]>;
}

export function unmetRules(rules: readonly EvidenceRule[], given: RuleGiven): readonly Unmet[] {
  return rules.flatMap((rule) => (rule.when.event === given.event ? unmet(rule, given) : []));
}

/** One file is enough to say so. */
function unmet(rule: EvidenceRule, given: RuleGiven): readonly Unmet[] {
  const { need } = rule;
  if (!isAboutFiles(rule)) {
    const { met, why = "missing" } = freshly(need, given.standing(need), given);
    return met ? [] : [{ rule, why }];
  }
  const concerned = given.files.filter((file) => concerns(rule, file, given.root));
  // Only a read is another for every file.
  const looked = need.evidence === "read" ? concerned : concerned.slice(0, 1);
  for (const file of looked) {
    const { met, why = "missing" } = freshly(need, given.standing(need, file), given);
    if (!met) return [{ rule, file, why }];
  }
  return [];
}

/** A tool use is gated by the files that it would change; a Stop also by itself. */
function isAboutFiles({ when: { event, globs, kinds, effects } }: EvidenceRule): boolean {
  return event === "PreToolUse" || globs !== undefined || kinds !== undefined || effects !== undefined;
}

/** Evidence that was there and is too old counts as stale. */
export function freshly(
  { freshness }: Need,
  standing: Standing,
  { now, turnAt = 0, changedAt }: Pick<RuleGiven, "now" | "turnAt" | "changedAt">,
): Standing {
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
  // What is not there yet cannot have been read.
  return need.evidence !== "read" || (file.isThere && file.how === "path");
}

function fits(glob: string, { path, how }: TouchedFile, root: string): boolean {
  const { everywhere, atRoot } = protectedPlace(root, glob);
  const names = namesOf(path, how === "pattern");
  if (how !== "below") return pathsMeet(everywhere, names);
  // A pattern for any depth would be met by every directory.
  return !glob.startsWith("**") && pathsMeet(atRoot, [...names, ANY_DEPTH]);
}
