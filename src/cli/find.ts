/** The verdict that a person means by an id, or by the beginning of one. */
import type { AuditEntry } from "../views/audit.ts";
import { auditView } from "../views/audit.ts";
import { findEntry } from "../views/explain.ts";
import { type Here, orFail } from "./here.ts";
import { CommandError } from "./print.ts";

export function entriesOf({ store }: Pick<Here, "store">): readonly AuditEntry[] {
  orFail(store.read());
  return auditView(store.records(), { kind: "all" });
}

export function entryNamed(entries: readonly AuditEntry[], id: string): AuditEntry {
  const found = findEntry(entries, id);
  if (found === "several") throw new CommandError(`More than one verdict begins with "${id}". Give more of the id.`);
  if (found === "none") throw new CommandError(`No verdict "${id}" in this project's journal.`);
  return found;
}
