/**
 * Tells whether the checks of a work tree count as passed: one answer for the Stop gate, the task gate, the commands and
 * the screens.
 */

import { own } from "../lib/keyed.ts";
import type { CheckName } from "../state/check-names.ts";
import {
  type CheckChange,
  type CheckHistory,
  type CheckResult,
  type Definitions,
  endChecks,
  historyOf,
} from "../state/session/checks.ts";
import { bareName } from "../state/session/proof.ts";
import type { Session } from "../state/session/session.ts";
import type { Work } from "../state/session/work.ts";
import type { Settings } from "../state/settings/settings.ts";
import type { State } from "../state/state.ts";
import type { Check } from "./checks/check.ts";
import { areCovered } from "./checks/covered.ts";
import type { CheckedTree, Digest } from "./tree.ts";

/**
 * `covered`: runs on parts passed that together looked at everything that was changed. `gone`: the check existed when the session began and does not exist any more. `unseen`: a pass was reported that the
 * host's transcript does not show. `unbound`: it passed, but for which files is not known, because they could not be
 * looked at.
 */
export type CheckState =
  | "passed"
  | "covered"
  | "missing"
  | "stale"
  | "expired"
  | "failed"
  | "changed"
  | "redefined"
  | "gone"
  | "unseen"
  | "partial"
  | "unproven"
  | "unbound";

export interface CheckStanding {
  readonly check: CheckName;
  readonly standing: CheckState;
  /** The command to run; absent for a check that is gone. */
  readonly command?: string;
  /** The result behind the standing. */
  readonly result?: CheckResult;
}

/** The inputs besides the tree itself. */
export interface Known {
  readonly session: Pick<
    Session,
    "checks" | "defined" | "work" | "coverage" | "proof" | "ground" | "awaiting" | "transcript"
  >;
  readonly person: NonNullable<State["checks"]>;
  readonly verify: Settings["verify"];
  readonly now: number;
}

/** The standing of every required check, in the configured order. */
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

/**
 * The required checks that the agent can still make pass. Where files could never be looked at in this session, a pass is
 * not verified but the agent can do nothing about it.
 */
export function openChecks(tree: CheckedTree, known: Known): readonly CheckStanding[] {
  const isBlind = (own(known.session.work ?? {}, tree.root)?.base ?? "") === "";
  const isEnough = (standing: CheckState): boolean =>
    standing === "passed" ||
    (standing === "covered" && known.verify.stop !== "block") ||
    (standing === "unbound" && isBlind);
  return standingsOf(tree, known).filter(({ standing }) => !isEnough(standing));
}

/**
 * Those that the end of a turn is held for. Unless a profile is strict, a check isn't that doesn't look at what was
 * changed, nor are the others once it is tested, nor a pass in a session of which the host keeps no record.
 */
export function owedChecks(tree: CheckedTree, known: Known): readonly CheckStanding[] {
  const { verify, session } = known;
  const open = openChecks(tree, known);
  if (verify.stop === "block") return open;
  const isUnseen = ({ standing }: CheckStanding): boolean => standing === "unseen" && session.transcript === undefined;
  const isConcerned = ({ check }: CheckStanding): boolean => tree.concerned?.[check]?.length !== 0;
  const left = open.filter((one) => !isUnseen(one) && (isConcerned(one) || !isLacking(one)));
  const isTestable = verify.require.includes("test") && tree.checks.some(({ name }) => name === "test");
  const isUntested = left.some((one) => one.check === "test" && !hasRun(one));
  const isTested = isTestable && !isUntested && tree.concerned?.test?.length !== 0;
  return isTested ? left.filter((one) => one.check === "test" || !isLacking(one)) : left;
}

const LACKING: ReadonlySet<CheckState> = new Set(["missing", "stale", "expired", "partial", "unproven"]);

/** Nothing speaks against the code: the check was not run, or not as a whole. */
export function isLacking({ standing, result }: CheckStanding): boolean {
  return LACKING.has(standing) && !(standing === "partial" && result?.exitCode !== 0);
}

/** It ran for the files as they are, and nothing failed that could be seen: on a part only, or behind a pipe. */
export function hasRun({ standing, result }: CheckStanding): boolean {
  return result?.exitCode === 0 && (standing === "partial" || (standing === "unproven" && result.why === "pipe"));
}

/** True if every required check has passed for the files as they are. */
export function isVerified(tree: CheckedTree, known: Known): boolean {
  return standingsOf(tree, known).every(({ standing }) => standing === "passed");
}

function standingOf(check: Check, tree: CheckedTree, known: Known, pinned: Definitions): CheckStanding {
  const { name, command } = check;
  const said = { check: name, command } as const;
  const results = [
    historyOf(known.session.checks, tree.root, name),
    historyOf(known.person, tree.root, name),
  ] satisfies readonly CheckHistory[];
  const whole = newest(results.map((one) => one.whole));
  if (whole && stands(whole, tree, known))
    return passSince(whole, check, tree, known, pinned) ?? { ...said, standing: boundTo(tree, whole), result: whole };
  const other = newest(results.map((one) => one.other));
  if (isCovered(name, results[0]?.parts ?? [], tree, known))
    return { ...said, standing: "covered", ...(other && { result: other }) };
  const reported = asReported(check, tree, known, pinned);
  if (reported) return reported;
  // The most recent run is the best hint at the next step.
  if (other && other.endedAt > (whole?.endedAt ?? 0) && isFresh(other, tree, known))
    return { ...said, standing: other.outcome as CheckState, result: other };
  const isRedefined = pinned[name] !== undefined && pinned[name] !== tree.definitions[name];
  return { ...said, ...(isRedefined ? { standing: "redefined" } : leftBy(whole, tree, known)) };
}

/** A failure stands until the check has passed, which may have been reported only. */
function passSince(
  { outcome }: CheckResult,
  ...[check, tree, known, pinned]: Parameters<typeof standingOf>
): CheckStanding | undefined {
  const since = outcome === "failed" ? asReported(check, tree, known, pinned) : undefined;
  return since?.standing === "unseen" ? since : undefined;
}

function boundTo(tree: CheckedTree, { outcome, files }: CheckResult): CheckState {
  const isBound = outcome !== "passed" || (files !== "" && filesOf(tree) !== "");
  return isBound ? outcome : "unbound";
}

function leftBy(
  whole: CheckResult | undefined,
  tree: CheckedTree,
  known: Known,
): Pick<CheckStanding, "standing" | "result"> {
  if (!whole) return { standing: "missing" };
  return { standing: isFresh(whole, tree, known) ? "expired" : "stale", result: whole };
}

/** Only runs of the files as they are count, and only those of the session. */
function isCovered(
  check: CheckName,
  parts: NonNullable<CheckHistory["parts"]>,
  { digest, concerned }: CheckedTree,
  { session }: Known,
): boolean {
  if (!digest || !("files" in digest) || digest.changed === undefined) return false;
  const gaps = session.coverage?.gaps ?? [];
  const fresh = parts.filter((one) => one.files === digest.files && gaps.every(({ at }) => at < one.startedAt));
  const covers = fresh.flatMap((one) => one.covers);
  return covers.length > 0 && areCovered(concerned?.[check] ?? digest.changed, covers, check);
}

const PROVEN: ReadonlySet<CheckState> = new Set(["passed", "covered"]);

/** Runs were reported that the host's transcript doesn't show, and they would change how the check stands. */
function asReported(check: Check, tree: CheckedTree, known: Known, pinned: Definitions): CheckStanding | undefined {
  const { awaiting = [], ...session } = known.session;
  if (awaiting.length === 0) return undefined;
  const checks = awaiting.reduce((all, { at, change }) => {
    const isEnd = change.record === "check" && change.do === "end";
    return isEnd ? endChecks(all, change as CheckChange & { readonly do: "end" }, at) : all;
  }, session.checks ?? {});
  const seen = standingOf(check, tree, { ...known, session: { ...session, checks } }, pinned);
  const { command } = check;
  if (PROVEN.has(seen.standing)) return { check: check.name, command, standing: "unseen" };
  return session.transcript === undefined && hasRun(seen) ? seen : undefined;
}

function newest(results: readonly (CheckResult | undefined)[]): CheckResult | undefined {
  return results.reduce((last, one) => ((one?.endedAt ?? -1) > (last?.endedAt ?? -1) ? one : last), undefined);
}

/** A failure counts until the check runs again; a pass counts only for the files it saw, and for a limited time. */
function stands(result: CheckResult, tree: CheckedTree, known: Known): boolean {
  if (result.outcome !== "passed") return isFresh(result, tree, known);
  const isUnexpired = known.now - result.endedAt <= minutesOf(result.check, known.verify) * MINUTE_MS;
  const isSame = result.definition === undefined || result.definition === tree.definitions[result.check];
  return isUnexpired && isSame && !isVoid(result, known) && isFresh(result, tree, known);
}

const MINUTE_MS = 60_000;
const MINUTES: Readonly<Record<CheckName, number>> = { lint: 30, typecheck: 30, test: 30, build: 60, security: 60 };

/** How long a pass counts: the configured time, or the default of the check. */
export function minutesOf(check: CheckName, { ttl_minutes }: Settings["verify"]): number {
  const set = ttl_minutes.find((entry) => entry.startsWith(`${check}=`));
  return set === undefined ? MINUTES[check] : Number(set.slice(check.length + 1));
}

/**
 * True if only documents have changed since the result. Without a digest: if nothing that could change files has run.
 */
function isFresh(result: CheckResult, tree: CheckedTree, { session }: Known): boolean {
  const work: Work | undefined = own(session.work ?? {}, tree.root);
  if ((work?.codeAt ?? 0) > result.endedAt) return false;
  const now = filesOf(tree);
  if (now !== "" && result.files !== "") return now === result.files;
  // A person's run is verified by its digest only, because files may change outside of any session.
  return result.call !== undefined && (work?.touchedAt ?? 0) <= result.endedAt;
}

function filesOf({ digest }: CheckedTree): string {
  return digest && "files" in digest ? (digest satisfies Digest).files : "";
}

/** A gap in coverage voids the session's results that started before it. */
function isVoid({ call, startedAt }: CheckResult, { session }: Known): boolean {
  return call !== undefined && (session.coverage?.gaps ?? []).some(({ at }) => at >= startedAt);
}

/**
 * For a project without any required check: the substitute skill, unless it was loaded since the last change. A skill
 * that is not installed is not required.
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
 * True if code has changed since the work was last settled. A tree whose digest was known and no longer is counts as
 * changed, so that making a tree too large to read gains nothing.
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
