import { statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { keepAction } from "../app/actions/action.ts";
import { type Format, formatNamed, formatOf, type ImportContext, KINDS } from "../app/actions/formats.ts";
import type { Plan } from "../app/actions/import-plan.ts";
import { withChange } from "../app/actions/mode-formats.ts";
import type { Person } from "../app/person.ts";
import { type Here, here, orFail } from "../app/project.ts";
import { clip, inline } from "../lib/text.ts";
import { MODE_FILES } from "../store/formats/mode-states.ts";
import { rewritableText } from "../world/machine/host-file-writing.ts";
import { defineCommand, jsonOption } from "./command.ts";
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
    "sekisho import .claude/state                    # the modes that are active there",
  ],
  door: ({ "dry-run": isTrial }) => ({ verb: "import", need: isTrial ? "presence" : "authority" }),
  run({ as, "dry-run": isTrial = false, json = false }, [file], person) {
    if (file === undefined) throw new CommandError("Give a file. See `sekisho import --help`.");
    const sources = sourcesIn(file);
    const format = as === undefined ? formatFor(sources) : formatNamed(as);
    const place = here();
    const state = orFail(place.store.read());
    const now = Date.now();
    const plan = planOf(format, sources, { state, settings: place.settings.settings, now });
    if (!isTrial)
      keep(place, plan, `${format.kind} from ${clip(inline(resolve(file)), 200)}, from ${person.from}`, now, person);
    if (json)
      sayJson({ kind: format.kind, changed: !isTrial && plan.changes.length > 0, notes: plan.notes, rows: plan.rows });
    else print(format, plan, isTrial);
    return 0;
  },
});

interface Source {
  readonly path: string;
  readonly text: string;
}

/** Reads a file, or the mode state files of a directory. */
function sourcesIn(given: string): readonly Source[] {
  const isDirectory = statSync(resolve(given), { throwIfNoEntry: false })?.isDirectory() === true;
  const paths = isDirectory ? MODE_FILES.map((name) => join(given, name)) : [given];
  const sources = paths.flatMap((path) => {
    const text = rewritableText(resolve(path));
    return text === undefined ? [] : [{ path, text }];
  });
  if (sources.length > 0) return sources;
  if (!isDirectory) throw new CommandError(`There is no file ${inline(given)}.`);
  throw new CommandError(`${inline(given)} is a directory and has none of ${MODE_FILES.join(", ")}.`);
}

function formatFor(sources: readonly Source[]): Format {
  const [first, ...others] = sources.map(({ path, text }) => formatOf(basename(path), text));
  if (!first || others.some((other) => other !== first)) throw new CommandError("The files are not of one kind.");
  return first;
}

/** Reads all files before recording anything; each is planned as if the earlier ones were imported. */
function planOf(format: Format, sources: readonly Source[], ground: ImportContext): Plan {
  let state = ground.state;
  const plans = sources.map(({ path, text }) => {
    const plan = format.read(text, { ...ground, state }, basename(path));
    if ("problem" in plan) throw new CommandError(`${inline(path)}: ${plan.problem} Nothing was changed.`);
    state = plan.changes.reduce((before, change) => withChange(before, change, ground.now), state);
    return plan;
  });
  const [only] = plans;
  if (only && plans.length === 1) return only;
  return {
    changes: plans.flatMap(({ changes }) => changes),
    notes: plans.flatMap(({ notes }) => notes),
    rows: plans.flatMap(({ rows }) => rows),
  };
}

/**
 * Writes one record per change. An interrupted import can simply be repeated, because the first record clears the
 * ledger.
 */
function keep({ store }: Here, { changes }: Plan, detail: string, now: number, person: Person): void {
  for (const [at, { change, session }] of changes.entries()) {
    const part = changes.length > 1 ? `${at + 1} of ${changes.length}, ` : "";
    try {
      const whose = session === undefined ? {} : { session };
      keepAction(store, { action: "import", detail: `${part}${detail}`, ...whose, changes: [change] }, now, person);
    } catch (error) {
      if (!(error instanceof CommandError) || at === 0) throw error;
      throw new CommandError(`${error.message}\n${at} of ${changes.length} parts are in. Run the same command again.`);
    }
  }
}

function print({ kind }: Format, { changes, rows, notes, replaces }: Plan, isTrial: boolean): void {
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
  say(changes.length === 0 ? "Nothing was imported." : `${paint.green("✔")} ${kind} imported.`);
  if (replaces)
    sayWords(`It has replaced ${replaces}. Next time, sekisho export ${kind} --out FILE before it keeps that.`);
}
