/** The contract files that a person accepted, from the journal, and what differs now. */
import type { ActionRecord, JournalRecord } from "../state/record.ts";

/** Path relative to the project's root → SHA-256. */
export type Sums = Readonly<Record<string, string>>;

export interface Accepted {
  readonly at: number;
  readonly sums: Sums;
  /** False when part of the list is no longer in the journal. */
  readonly whole: boolean;
}

export interface Difference {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export const ACCEPTED = "accept-contract";

/** A record holds 2 KB, so a long list is split into numbered parts. */
const LIST_CHARS_MAX = 1200;

export function acceptanceRecords(sums: Sums, batch: string): readonly ActionRecord[] {
  const parts: string[][] = [[]];
  for (const line of Object.entries(sums).map(([path, sum]) => `${sum}  ${path}`)) {
    const last = parts.at(-1) as string[];
    if (last.length > 0 && last.join("\n").length + line.length > LIST_CHARS_MAX) parts.push([line]);
    else last.push(line);
  }
  return parts.map((lines, at) => ({
    kind: "action",
    action: ACCEPTED,
    detail: [`${batch} ${at + 1}/${parts.length}`, ...lines].join("\n"),
  }));
}

/** The newest accepted list; undefined when there is none. */
export function acceptedIn(records: Iterable<JournalRecord>): Accepted | undefined {
  let newest: Part[] = [];
  for (const record of records) {
    const part = partIn(record);
    if (part) newest = newest[0]?.batch === part.batch ? [...newest, part] : [part];
  }
  const [first] = newest;
  if (!first) return undefined;
  return {
    at: first.at,
    sums: Object.fromEntries(newest.flatMap(({ sums }) => sums)),
    whole: newest.length >= first.of,
  };
}

interface Part {
  readonly batch: string;
  readonly of: number;
  readonly at: number;
  readonly sums: readonly (readonly [string, string])[];
}

function partIn(record: JournalRecord): Part | undefined {
  if (record.kind !== "action" || record.action !== ACCEPTED) return undefined;
  const [head = "", ...lines] = (record.detail ?? "").split("\n");
  const [, batch, of] = /^(\S+) \d+\/(\d+)$/.exec(head) ?? [];
  if (batch === undefined) return undefined;
  const sums = lines.flatMap((line) => {
    const [, sum, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    return sum === undefined || path === undefined ? [] : [[path, sum] as const];
  });
  return { batch, of: Number(of), at: record.t, sums };
}

export function differenceOf(before: Sums, now: Sums): Difference {
  const has = (sums: Sums, path: string): boolean => Object.hasOwn(sums, path);
  return {
    changed: Object.keys(now).filter((path) => has(before, path) && before[path] !== now[path]),
    added: Object.keys(now).filter((path) => !has(before, path)),
    removed: Object.keys(before).filter((path) => !has(now, path)),
  };
}
