/** Tables of tools, as one text each: a row is read when its tool is met. */
import { FEW } from "../../kernel/name-table.ts";
import type { Verbs } from "./danger-verbs.ts";

/** A cloud's own verbs for giving something back. */
const DELETES = "delete|destroy|remove|rm|purge|terminate|del";

/**
 * `borg: deny delete; ask prune, compact; first borg delete --dry-run …`: the name, then the fields of `Verbs`, of which
 * `first` is the last. A row may go on below, indented. `k: = kubectl` has the row of another; `rented` stands for
 * whatever a cloud takes back. A process that has just started would pay for every row of a table of objects.
 */
export class VerbTable {
  private readonly text: string;
  private asked = 0;
  private rows: ReadonlyMap<string, Verbs> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get(name: string): Verbs | undefined {
    if (this.rows) return this.rows.get(name);
    this.asked += 1;
    if (this.asked > FEW) this.rows = new Map(this.names().map((each) => [each, this.read(each)]));
    return name.includes(" ") || !this.text.includes(`\n${name}: `) ? undefined : this.read(name);
  }

  names(): readonly string[] {
    return this.text.split("\n").flatMap((line) => /^\S+(?=: )/.exec(line) ?? []);
  }

  private read(name: string): Verbs {
    const from = this.text.indexOf(`\n${name}: `) + name.length + 3;
    let end = this.text.indexOf("\n", from);
    while (this.text.charAt(end + 1) === " ") end = this.text.indexOf("\n", end + 1);
    const row = this.text.slice(from, end);
    if (row.startsWith("= ")) return this.read(row.slice(2));
    return verbsIn(row.includes("\n") ? row.replace(/\n +/g, " ") : row);
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
