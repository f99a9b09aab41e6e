/** Reads trust-scores.json of oath-harness, versions 1 and 2, into ledger domains. */
import { own } from "../../lib/keyed.ts";
import { DOMAINS_MAX, defaultRates, FALLBACK, newTrust, type Trust, type TrustChange } from "../../state/trust.ts";
import {
  attempt,
  countIn,
  type Fields,
  fieldsOf,
  flagIn,
  jsonFields,
  type Reading,
  refuse,
  timeOf,
} from "./reading.ts";

export interface TrustFile {
  readonly operations: number;
  readonly domains: Readonly<Record<string, Trust>>;
}

const NEWEST = 2;

export function readTrustScores(text: string, now: number): Reading<TrustFile> {
  return attempt((note) => {
    const file = jsonFields(text);
    return versionOf(file) === 1 ? versionOne(file, now, note) : versionTwo(file, now, note);
  });
}

/** Whether a text looks like such a file: any object with its fields. They are validated later. */
export function looksLikeTrustScores(text: string): boolean {
  return /^\s*\{/.test(text) && /"(?:domains|global_operation_count|successes)"\s*:/.test(text);
}

/** Version 1 had no number. Newer versions are rejected, because unknown fields would be lost. */
function versionOf(file: Fields): 1 | 2 {
  const version = own(file, "version");
  if (version === undefined) {
    if (own(file, "domains") === undefined) return 1;
    refuse("version", 'is missing; with "domains" in the file it should be "2"');
  }
  const number = typeof version === "string" || typeof version === "number" ? Number(version) : Number.NaN;
  if (number === 1 || number === 2) return number;
  if (number > NEWEST) {
    refuse(`version "${number}"`, `is newer than this program knows ("${NEWEST}"): import it with a newer Sekisho`);
  }
  return refuse("version", 'must be "1" or "2"', version);
}

/** The single record becomes the fallback of every domain. */
function versionOne(file: Fields, now: number, note: (words: string) => void): TrustFile {
  const successes = countIn(file, "successes", "");
  const failures = countIn(file, "failures", "");
  const operations = successes + failures;
  note(`version 1: its one record becomes ${FALLBACK}, which stands for every kind of work not seen yet`);
  return {
    operations,
    domains: { [FALLBACK]: { ...newTrust(scoreIn(file, "score", ""), now), successes, failures, operations } },
  };
}

function versionTwo(file: Fields, now: number, note: (words: string) => void): TrustFile {
  const entries = Object.entries(fieldsOf(own(file, "domains"), "domains"));
  if (entries.length > DOMAINS_MAX)
    refuse("domains", `must be at most ${DOMAINS_MAX}, but there are ${entries.length}`);
  return {
    operations: countIn(file, "global_operation_count", ""),
    domains: Object.fromEntries(
      entries.flatMap(([name, value]) => {
        const domain = domainNamed(name);
        const trust = trustIn(domain, fieldsOf(value, `domains.${domain}`), now, note);
        return isUntouched(domain, trust) ? [] : [[domain, trust] as const];
      }),
    ),
  };
}

/** Every file has the fallback; one that was never used is not earned trust. */
function isUntouched(domain: string, { operations, score }: Trust): boolean {
  return domain === FALLBACK && operations === 0 && score === defaultRates.initial_score;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/;
/** Property names that every object inherits cannot be domain names. */
const INHERITED: readonly string[] = ["__proto__", "constructor", "prototype"];

function domainNamed(name: string): string {
  if (INHERITED.includes(name) || !NAME.test(name)) {
    refuse("a name in domains", "must be letters, digits, _ . : - (at most 64, a letter or _ first)", name);
  }
  return name;
}

function trustIn(domain: string, fields: Fields, now: number, note: (words: string) => void): Trust {
  const place = `domains.${domain}.`;
  const operations = countIn(fields, "total_operations", place);
  const isWarming = flagIn(fields, "is_warming_up", place);
  const remaining = countIn(fields, "warmup_remaining", place, 0);
  const target = targetIn(fields, place, () => note(`${domain} recovers to no target: taken as not recovering`));
  for (const name of Object.keys(fields))
    if (!FIELDS.includes(name)) note(`${place}${name.slice(0, 40)} is not known, and left out`);
  return {
    score: scoreIn(fields, "score", place),
    successes: countIn(fields, "successes", place),
    failures: countIn(fields, "failures", place),
    operations,
    lastAt: timeIn(fields, place, now, operations === 0),
    warmup: isWarming ? remaining : 0,
    consecutiveFailures: countIn(fields, "consecutive_failures", place, 0),
    ...(target !== undefined && { target }),
  };
}

const FIELDS: readonly string[] = [
  "score",
  "successes",
  "failures",
  "total_operations",
  "last_operated_at",
  "is_warming_up",
  "warmup_remaining",
  "consecutive_failures",
  "pre_failure_score",
  "is_recovering",
];

/** A recovery without a target would never end. */
function targetIn(fields: Fields, place: string, none: () => void): number | undefined {
  const isRecovering = flagIn(fields, "is_recovering", place);
  const isSet = (own(fields, "pre_failure_score") ?? null) !== null;
  const target = isSet ? scoreIn(fields, "pre_failure_score", place) : undefined;
  if (isRecovering && target === undefined) none();
  return isRecovering ? target : undefined;
}

function scoreIn(fields: Fields, name: string, place: string): number {
  const value = own(fields, name);
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  return refuse(`${place}${name}`, value === undefined ? "is missing" : "must be a number from 0 to 1", value);
}

/** A domain without operations may have no time. A time in the future would delay every absence. */
function timeIn(fields: Fields, place: string, now: number, mayBeAbsent: boolean): number {
  const value = own(fields, "last_operated_at") ?? null;
  if (value === null && mayBeAbsent) return now;
  return timeOf(value, `${place}last_operated_at`, now);
}

/** A journal record holds 2 KB, including fields besides these changes. */
const CHANGE_CHARS_MAX = 1400;

/**
 * The changes to record, one per record. The fallback comes last, so that an interrupted import leaves missing domains
 * at the initial score and not at the fallback's.
 */
export function trustImport({ operations, domains }: TrustFile): readonly TrustChange[] {
  const names = Object.keys(domains).filter((name) => name !== FALLBACK);
  const parts: Record<string, Trust>[] = [{}];
  for (const name of Object.hasOwn(domains, FALLBACK) ? [...names, FALLBACK] : names) {
    const trust = own(domains, name);
    const last = parts.at(-1) ?? {};
    if (!trust) continue;
    if (JSON.stringify({ ...last, [name]: trust }).length <= CHANGE_CHARS_MAX) last[name] = trust;
    else parts.push({ [name]: trust });
  }
  return parts.map((part, at) => ({ record: "trust", do: "import", first: at === 0, operations, domains: part }));
}
