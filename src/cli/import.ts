import { basename, resolve } from "node:path";
import { clip, inline } from "../kernel/text.ts";
import { rewritableText } from "../world/host-file-writing.ts";
import { keepAction } from "./action.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { type Format, formatNamed, formatOf, KINDS, type Plan } from "./formats.ts";
import { type Here, here, orFail } from "./here.ts";
import { requirePerson, requirePersonSince } from "./person.ts";
import { CommandError, paint, say, sayJson, sayWords, table } from "./print.ts";

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
  ],
  run({ as, "dry-run": isTrial = false, json = false }, [file]) {
    requirePerson("import");
    if (file === undefined) throw new CommandError("Give a file. See `sekisho import --help`.");
    const text = rewritableText(resolve(file));
    if (text === undefined) throw new CommandError(`There is no file ${inline(file)}.`);
    const format = as === undefined ? formatOf(basename(file), text) : formatNamed(as);
    const place = here();
    const state = orFail(place.store.read());
    const from = requirePersonSince("import", state);
    const now = Date.now();
    const plan = format.read(text, { state, settings: place.settings.settings, now });
    if ("problem" in plan) throw new CommandError(`${inline(file)}: ${plan.problem} Nothing was changed.`);
    if (!isTrial) keep(place, plan, `${format.kind} from ${clip(inline(resolve(file)), 200)}, from ${from}`, now);
    if (json) sayJson({ kind: format.kind, changed: !isTrial, notes: plan.notes, rows: plan.rows });
    else print(format, plan, isTrial);
    return 0;
  },
});

/** A record each. Cut off between two, it is begun anew by running it again: the first of them clears the ledger. */
function keep({ store }: Here, { changes }: Plan, detail: string, now: number): void {
  for (const [at, change] of changes.entries()) {
    const part = changes.length > 1 ? `${at + 1} of ${changes.length}, ` : "";
    try {
      keepAction(store, { action: "import", detail: `${part}${detail}`, changes: [change] }, now);
    } catch (error) {
      if (!(error instanceof CommandError) || at === 0) throw error;
      throw new CommandError(`${error.message}\n${at} of ${changes.length} parts are in. Run the same command again.`);
    }
  }
}

function print({ kind }: Format, { rows, notes, replaces }: Plan, isTrial: boolean): void {
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
  for (const note of notes) sayWords(`${paint.yellow("!")} ${note}`, "  ");
  if (isTrial) {
    say("Nothing was changed: this was a trial.");
    if (replaces) sayWords(`It would replace ${replaces}. To keep that: sekisho export ${kind} --out FILE`);
    return;
  }
  say(`${paint.green("✔")} ${kind} imported.`);
  if (replaces)
    sayWords(`It has replaced ${replaces}. Next time, sekisho export ${kind} --out FILE before it keeps that.`);
}
