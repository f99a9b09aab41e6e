import { KINDS } from "../app/actions/formats.ts";
import { type Imported, importHere } from "../app/actions/import.ts";
import { Problem } from "../app/problem.ts";
import { here } from "../app/project.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayCaution, sayDone, sayJson, sayWords, table } from "./print.ts";

export const importFile = defineCommand({
  name: "import",
  summary: "Brings in a file of another harness in place of what is here (people only).",
  words: "<file>",
  wordsMax: 1,
  options: {
    as: { type: "string", hint: "KIND", about: `what it is, where name and content do not tell: ${KINDS}` },
    "dry-run": { type: "boolean", about: "show what would change, and change nothing" },
    ...jsonOption,
  },
  examples: [
    "sekisho export trust-scores --out before.json   # keeps what an import replaces",
    "sekisho import state/trust-scores.json --dry-run",
    "sekisho import .claude/current-phase.md",
    "sekisho import state.md                         # security, toolstack and roles of the playbook framework",
    "sekisho import .claude/state                    # the modes that are active there",
  ],
  door: ({ "dry-run": isTrial }) => ({ verb: "import", need: isTrial ? "presence" : "authority" }),
  run({ as, "dry-run": isTrial = false, json = false }, [file], person) {
    if (file === undefined) throw new Problem("Give a file. See `sekisho import --help`.");
    const imported = importHere(here(), { file, as, isTrial }, person);
    const { kind, notes, rows } = imported;
    if (json) sayJson({ kind, changed: !isTrial && isSomething(imported), notes, rows });
    else print(imported, isTrial);
    return 0;
  },
});

const isSomething = ({ changes, settings = [] }: Imported): boolean => changes.length + settings.length > 0;

function print(imported: Imported, isTrial: boolean): void {
  const { kind, rows, notes, replaces } = imported;
  const none = paint.dim("–");
  say(
    table([
      ["", "before", "", "after"].map(paint.dim),
      ...rows.map(({ what, before, after }) => {
        const marks = before === after ? paint.dim : (words: string) => words;
        return [what, marks(before ?? none), "→", marks(after ?? none)];
      }),
    ]),
  );
  for (const note of notes) sayCaution(note);
  if (isTrial) {
    say("Nothing was changed: this was a trial.");
    if (replaces) sayWords(`It would replace ${replaces}. To keep that: sekisho export ${kind} --out FILE`);
    return;
  }
  if (!isSomething(imported)) say("Nothing was imported.");
  else sayDone(`${kind} imported.`);
  if (replaces)
    sayWords(`It has replaced ${replaces}. Next time, sekisho export ${kind} --out FILE before it keeps that.`);
}
