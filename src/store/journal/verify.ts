/**
 * Checks whether the journal is what was written to it.
 *
 * - intact: every line is readable, and every closed segment matches its seal.
 * - damaged: unreadable lines were skipped, because a writer was killed during a write or bytes changed before the
 * segment was sealed. The other lines count.
 * - truncated: the end is missing: no `close` though a later segment exists, shorter than a snapshot of it, or ending
 * inside a line (as after a killed writer, until the next one makes it `damaged`).
 * - incomplete: a whole segment is missing without a `prune` record.
 * - rewritten: the bytes do not match the seal, or contradict a snapshot.
 *
 * A rewrite of everything, including seals and snapshots, shows only by comparison with a copy of `head` kept
 * elsewhere.
 */

import type { PartTable } from "../../state/part.ts";
import type { Voided } from "../../state/signed.ts";
import type { Authority } from "../authority.ts";
import type { Integrity, SegmentReport, VerifyReport } from "../store.ts";
import { NO_SEAL } from "./ledger.ts";
import { sealOf } from "./seal.ts";
import { FIRST_SEGMENT } from "./segment.ts";
import { type Scan, type Survey, surveyOf } from "./survey.ts";

interface Finding {
  readonly integrity: Integrity;
  readonly detail: string;
}

const GRAVITY: readonly Integrity[] = ["intact", "damaged", "truncated", "incomplete", "rewritten"];
const OFFSETS_TOLD_MAX = 5;

export function verify(directory: string, parts: PartTable, authority: Authority): VerifyReport {
  const voided = new Map<string, Voided>();
  const survey = surveyOf(directory, parts, noting(authority, voided));
  const pruned = Math.max(FIRST_SEGMENT - 1, ...survey.prunes.keys());
  // Pruned segments that are not removed yet are no longer part of the journal.
  const scans = survey.scans.filter(({ segment }) => segment > pruned);
  const reports = scans.map((scan) =>
    report(scan, [
      ...sealFindings(survey, scan, directory),
      ...endFindings(survey, scan),
      ...snapshotFindings(survey, scan),
      ...damageFindings(scan),
      ...beginningFindings(survey, scan, pruned),
    ]),
  );
  const segments = [...missing(survey, pruned), ...reports].sort((a, b) => a.segment - b.segment);
  const sum = (scans: readonly Scan[]): number => scans.reduce((total, { records }) => total + records, 0);
  return {
    integrity: worst(segments.map(({ integrity }) => integrity)),
    segments,
    head: sealAt(survey, Math.max(FIRST_SEGMENT - 1, ...survey.seals.keys(), ...survey.prunes.keys())) ?? NO_SEAL,
    records: sum(scans),
    unsealed: sum(scans.filter(({ segment }) => !survey.seals.has(segment))),
    voided: [...voided.values()],
  };
}

/** The state keeps the newest of these only; here all of them are wanted. */
function noting(authority: Authority, voided: Map<string, Voided>): Authority {
  return {
    ...authority,
    check(record, state) {
      const counted = authority.check(record, state);
      const { rid, t: at, action, void: why } = counted;
      if (why !== undefined) voided.set(rid, { rid, at, action, why });
      return counted;
    },
  };
}

/** The recorded seal, not a computed one, so that one rewritten segment does not affect the later ones. */
function sealAt(survey: Survey, segment: number): string | undefined {
  if (segment < FIRST_SEGMENT) return NO_SEAL;
  return survey.seals.get(segment)?.hash ?? survey.prunes.get(segment);
}

function* missing(survey: Survey, pruned: number): Generator<SegmentReport> {
  const newestTold = survey.listing.snapshots[0]?.segment ?? 0;
  const held = survey.scans.map(({ segment }) => segment);
  let expected = pruned + 1;
  for (const segment of [...held, Math.max(newestTold, held.at(-1) ?? 0) + 1]) {
    if (segment > expected) {
      const which = segment - 1 === expected ? `Segment ${expected} is` : `Segments ${expected} to ${segment - 1} are`;
      yield {
        segment: expected,
        records: 0,
        integrity: "incomplete",
        detail: `${which} missing, and no prune record accounts for it.`,
      };
    }
    expected = Math.max(expected, segment + 1);
  }
}

function sealFindings(survey: Survey, scan: Scan, directory: string): Finding[] {
  const rewritten = (detail: string): Finding => ({ integrity: "rewritten", detail });
  const findings: Finding[] = [];
  const seal = survey.seals.get(scan.segment);
  if (!seal) return findings;
  const previous = sealAt(survey, scan.segment - 1) ?? seal.prev;
  if (seal.prev !== previous) findings.push(rewritten("Its seal does not follow from the seal before it."));
  const computed = scan.end === undefined ? undefined : sealOf(directory, scan.segment, previous, scan.end);
  if (computed !== undefined && computed !== seal.hash) {
    findings.push(rewritten("Its bytes are not those that were sealed."));
  }
  if (survey.contradicted.has(scan.segment)) findings.push(rewritten("A later seal of it contradicts the first."));
  return findings;
}

function endFindings(survey: Survey, scan: Scan): Finding[] {
  const truncated = (detail: string): Finding => ({ integrity: "truncated", detail });
  const isLast = scan.segment === survey.listing.segments.at(-1);
  if (scan.end === undefined && !isLast) return [truncated("It has no end, though a later segment exists.")];
  if (scan.unfinished === 0) return [];
  const where = `${scan.unfinished} bytes at offset ${scan.size - scan.unfinished}`;
  return [truncated(`It ends in the middle of a record (${where}): a writer is at work or was killed, or it was cut.`)];
}

function snapshotFindings(survey: Survey, scan: Scan): Finding[] {
  return survey.listing.snapshots
    .filter(({ segment }) => segment === scan.segment)
    .flatMap(({ name, offset }): Finding[] => {
      if (offset > scan.size) return [{ integrity: "truncated", detail: `It is shorter than ${name} saw it.` }];
      if (survey.differing.has(name) || !survey.placed.has(name)) {
        return [{ integrity: "rewritten", detail: `Up to offset ${offset} it does not say what ${name} says.` }];
      }
      return [];
    });
}

function damageFindings({ damaged }: Scan): Finding[] {
  if (damaged.length === 0) return [];
  const told = damaged.slice(0, OFFSETS_TOLD_MAX).join(", ");
  const more = damaged.length > OFFSETS_TOLD_MAX ? ", …" : "";
  return [{ integrity: "damaged", detail: `${damaged.length} line(s) passed over, at offset ${told}${more}.` }];
}

function beginningFindings(survey: Survey, scan: Scan, pruned: number): Finding[] {
  const isGone = survey.scans[0]?.segment !== FIRST_SEGMENT && scan.segment === pruned + 1;
  if (!isGone) return [];
  const { snapshots } = survey.listing;
  const isLost = (of: string): boolean => !snapshots.some(({ part, name }) => part === of && survey.readable.has(name));
  // A part without any snapshot is newer than the pruned segments.
  const lost = [...new Set(["", ...snapshots.map(({ part }) => part)])].filter(isLost);
  return lost.map((part) => {
    const which = part === "" ? "No snapshot" : `No snapshot of the part ${part}`;
    return { integrity: "incomplete", detail: `${which} holds what was pruned before it.` };
  });
}

function report(scan: Scan, findings: readonly Finding[]): SegmentReport {
  const state = scan.end === undefined ? "open" : "closed";
  return {
    segment: scan.segment,
    records: scan.records,
    integrity: worst(findings.map(({ integrity }) => integrity)),
    detail: findings.length === 0 ? `Intact and ${state}.` : findings.map(({ detail }) => detail).join(" "),
  };
}

function worst(all: readonly Integrity[]): Integrity {
  return GRAVITY[Math.max(0, ...all.map((one) => GRAVITY.indexOf(one)))] ?? "intact";
}
