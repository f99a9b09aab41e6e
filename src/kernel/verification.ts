/** Whether the checks of a work tree stand: one answer for the gate at Stop, the task gate, the commands and the screens. */
import type { CheckName } from "../state/check-names.ts";
import { type CheckHistory, type CheckResult, type Definitions, historyOf } from "../state/checks.ts";
import { own } from "../state/keyed.ts";
import { bareName } from "../state/proof.ts";
import type { Session } from "../state/session.ts";
import type { Settings } from "../state/settings.ts";
import type { State } from "../state/state.ts";
import type { Work } from "../state/work.ts";
import type { Check } from "./check.ts";
import type { CheckedTree, Digest } from "./facts.ts";

/** `gone`: it was there when the session began, and is not any more. */
export type Standing =
  | "passed"
  | "missing"
  | "stale"
  | "expired"
  | "failed"
  | "changed"
  | "redefined"
  | "gone"
  | "partial"
  | "unproven";

export interface CheckStanding {
  readonly check: CheckName;
  readonly standing: Standing;
  /** What to type; for a check that is gone, nothing. */
  readonly command?: string;
  /** What it rests on. */
  readonly result?: CheckResult;
}

/** What is known besides the tree itself. */
export interface Known {
  readonly session: Pick<Session, "checks" | "defined" | "work" | "coverage" | "proof">;
  readonly person: NonNullable<State["checks"]>;
  readonly verify: Settings["verify"];
  readonly now: number;
}

/** Of every check that is asked for here, in the order in which people run them. */
export function standingsOf(tree: CheckedTree, known: Known): readonly CheckStanding[] {
  const pinned = own(known.session.defined ?? {}, tree.root) ?? {};
  return known.verify.require.flatMap((name) => {
    const check = tree.checks.find((one) => one.name === name);
    if (!check)
      return own(pinned as Record<string, string>, name) === undefined
        ? []
        : [{ check: name, standing: "gone" as const }];
    return [standingOf(check, tree, known, pinned)];
  });
}

/** What is still to be shown. */
export function openChecks(tree: CheckedTree, known: Known): readonly CheckStanding[] {
  return standingsOf(tree, known).filter(({ standing }) => standing !== "passed");
}

function standingOf(check: Check, tree: CheckedTree, known: Known, pinned: Definitions): CheckStanding {
  const { name, command } = check;
  const said = { check: name, command } as const;
  const results = [
    historyOf(known.session.checks, tree.root, name),
    historyOf(known.person, tree.root, name),
  ] satisfies readonly CheckHistory[];
  const whole = newest(results.map((one) => one.whole));
  if (whole && stands(whole, tree, known)) {
    return { ...said, standing: whole.outcome === "passed" ? "passed" : whole.outcome, result: whole } as CheckStanding;
  }
  const other = newest(results.map((one) => one.other));
  // What ran last says most about what to do next.
  if (other && other.endedAt > (whole?.endedAt ?? 0) && isFresh(other, tree, known))
    return { ...said, standing: other.outcome as Standing, result: other };
  const isRedefined = pinned[name] !== undefined && pinned[name] !== tree.definitions[name];
  if (isRedefined) return { ...said, standing: "redefined" };
  if (!whole) return { ...said, standing: "missing" };
  return { ...said, standing: isFresh(whole, tree, known) ? "expired" : "stale", result: whole };
}

function newest(results: readonly (CheckResult | undefined)[]): CheckResult | undefined {
  return results.reduce((last, one) => ((one?.endedAt ?? -1) > (last?.endedAt ?? -1) ? one : last), undefined);
}

/** A failure stands until the check is run again; a pass only for what it has seen, and for a while. */
function stands(result: CheckResult, tree: CheckedTree, known: Known): boolean {
  if (result.outcome !== "passed") return isFresh(result, tree, known);
  const isUnexpired = known.now - result.endedAt <= minutesOf(result.check, known.verify) * MINUTE_MS;
  const isSame = result.definition === undefined || result.definition === tree.definitions[result.check];
  return isUnexpired && isSame && !isVoid(result, known) && isFresh(result, tree, known);
}

const MINUTE_MS = 60_000;
const MINUTES: Readonly<Record<CheckName, number>> = { lint: 30, typecheck: 30, test: 30, build: 60, security: 60 };

/** How long a pass stands: as the settings say, or as long as such a check does. */
export function minutesOf(check: CheckName, { ttl_minutes }: Settings["verify"]): number {
  const set = ttl_minutes.find((entry) => entry.startsWith(`${check}=`));
  return set === undefined ? MINUTES[check] : Number(set.slice(check.length + 1));
}

/** Nothing that is no document has changed since; where no digest could be had, nothing that could have changed it has run. */
function isFresh(result: CheckResult, { root, digest }: CheckedTree, { session }: Known): boolean {
  const work: Work | undefined = own(session.work ?? {}, root);
  if ((work?.codeAt ?? 0) > result.endedAt) return false;
  const now = digest && "files" in digest ? (digest satisfies Digest).files : "";
  if (now !== "" && result.files !== "") return now === result.files;
  // What a person has run is known by its digest only: who changes files in between need not be a session of ours.
  return result.call !== undefined && (work?.touchedAt ?? 0) <= result.endedAt;
}

/** What came past the gate, or was made up, takes the evidence of its time along. */
function isVoid({ call, startedAt }: CheckResult, { session }: Known): boolean {
  return call !== undefined && (session.coverage?.gaps ?? []).some(({ at }) => at >= startedAt);
}

/**
 * Where a project has none of the checks that are asked for: the skill that stands in, unless it was taken up since. One
 * that is not there is asked of nobody.
 */
export function owedSkill(
  tree: CheckedTree,
  skills: readonly string[],
  { session, verify }: Known,
): string | undefined {
  const { skill, require } = verify;
  const isProvable = tree.checks.some(({ name }) => require.includes(name)) || own(session.defined ?? {}, tree.root);
  if (!skills.some((one) => bareName(one) === bareName(skill)) || isProvable) return undefined;
  const taken = own(session.proof?.skills ?? {}, bareName(skill)) ?? 0;
  return taken > (own(session.work ?? {}, tree.root)?.codeAt ?? 0) ? undefined : skill;
}

/**
 * Code has changed in it since the person last let go of it. Seen once and not any more, it may well have: whoever makes a
 * tree too large to be looked at gains nothing by it.
 */
export function isChanged({ root, digest }: CheckedTree, session: Pick<Session, "work">): boolean {
  const works = session.work ?? {};
  const work = own(works, root);
  const isTouched = Object.values(works).some(({ touchedAt, worked }) => touchedAt > 0 && worked === true);
  if (!work || !isTouched) return false;
  const now = digest && "code" in digest ? digest.code : "";
  if (now !== "" && work.base !== "") return now !== work.base;
  return work.touchedAt > 0 && (work.codeAt !== undefined || work.base !== "");
}
