/** Tables of tools, one text each; a row is parsed when its tool occurs. */
import { Rows } from "../../../lib/name-table.ts";
import type { Verbs } from "./verbs.ts";

/** Verbs by which clouds delete a resource. */
const DELETES = "delete|destroy|remove|rm|purge|terminate|del";

/**
 * `borg: deny delete; ask prune, compact; first borg delete --dry-run …`: the name, then the fields of `Verbs`, with
 * `first` last. `k: = kubectl` reuses another row; `rented` covers all deletions of a cloud. A text, because building a
 * table of objects would slow down every new process.
 */
export class VerbTable {
  private readonly rows: Rows;
  private readonly known = new Map<string, Verbs>();

  constructor(text: string) {
    this.rows = new Rows(text);
  }

  get(name: string): Verbs | undefined {
    const before = this.known.get(name);
    if (before) return before;
    const row = this.rows.get(name);
    const verbs = row?.startsWith("= ") ? this.get(row.slice(2)) : row === undefined ? undefined : verbsIn(row);
    if (verbs) this.known.set(name, verbs);
    return verbs;
  }

  names(): readonly string[] {
    return this.rows.names();
  }
}

function verbsIn(row: string): Verbs {
  const end = row.indexOf("first ");
  const fields = end < 0 ? row : row.slice(0, end);
  const found: { -readonly [field in keyof Verbs]: Verbs[field] } = { first: end < 0 ? "" : row.slice(end + 6) };
  for (const field of fields.split("; ")) {
    const [word = "", ...rest] = field.split(" ");
    const value = rest.join(" ");
    if (word === "deny" || word === "ask" || word === "pass") found[word] = value.split(", ");
    else if (word === "short") found.short = value;
    else if (word === "confirms") found.confirms = true;
    else if (word === "rented") found.deny = [`** ${DELETES}`, DELETES, "** *-delete"];
  }
  return found;
}
