/** The trail of this project, and whether the journal is as it was written. */

import { readBlob } from "../../store/blobs/blobs.ts";
import type { VerifyReport } from "../../store/store.ts";
import { type AuditEntry, type AuditFilter, auditView } from "../../views/audit.ts";
import { findEntry } from "../../views/explain.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { unwitnessedIn } from "./unwitnessed.ts";
import type { Unwitnessed } from "./unwitnessed-record.ts";

export function entriesOf({ store }: Pick<Here, "store">): readonly AuditEntry[] {
  orFail(store.read());
  return auditView(store.records(), { kind: "all" });
}

/** `withTrust`: each entry tells how it moved trust. */
export function trailOf(
  { store }: Pick<Here, "store">,
  filter: AuditFilter,
  { withTrust }: { readonly withTrust: boolean },
): readonly AuditEntry[] {
  const { trust } = orFail(store.read());
  return auditView(store.records(), filter, withTrust ? trust : undefined);
}

export function entryNamed(entries: readonly AuditEntry[], id: string): AuditEntry {
  const found = findEntry(entries, id);
  if (found === "several") throw new Problem(`More than one verdict begins with "${id}". Give more of the id.`);
  if (found === "none") throw new Problem(`No verdict "${id}" in this project's journal.`);
  return found;
}

export type JournalReport = VerifyReport & {
  /** Passed checks that the host's transcripts do not show. */
  readonly unwitnessed: readonly Unwitnessed[];
};

export function journalReport({ store }: Here): JournalReport {
  return { ...orFail(store.verify()), unwitnessed: unwitnessedIn(store.records(), Date.now()) };
}

/** The entry with all of its input. An input that is gone, or was too long to be stored, stays as the record has it. */
export function withWholeInput({ places }: Pick<Here, "places">, entry: AuditEntry): AuditEntry {
  const json = entry.whole && readBlob(places.journal, entry.whole);
  return json === undefined ? entry : { ...entry, input: JSON.parse(json) as unknown };
}
