/** Brings in a file of another harness in place of what is here. */
import { statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { clip, inline } from "../../lib/text.ts";
import { MODE_FILES } from "../../store/formats/mode-states.ts";
import { rewritableText } from "../../world/machine/host-file-writing.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { keepAction } from "./action.ts";
import { setSetting } from "./config-set.ts";
import { type Format, formatNamed, formatOf, type ImportContext } from "./formats.ts";
import type { Plan } from "./import-plan.ts";
import { withChange } from "./mode-formats.ts";

export interface Importing {
  /** A file, or a directory with mode states. */
  readonly file: string;
  /** The kind of the file, where name and content do not tell. */
  readonly as: string | undefined;
  /** Plans the import and changes nothing. */
  readonly isTrial: boolean;
}

export interface Imported extends Plan {
  readonly kind: string;
}

export function importHere(place: Here, { file, as, isTrial }: Importing, person: Person): Imported {
  const sources = sourcesIn(file);
  const format = as === undefined ? formatFor(sources) : formatNamed(as);
  const now = Date.now();
  const ground = { state: orFail(place.store.read()), settings: place.settings.settings, now };
  const plan = planOf(format, sources, ground);
  const detail = `${format.kind} from ${clip(inline(resolve(file)), 200)}, from ${person.from}`;
  if (!isTrial) keep(place, plan, detail, now, person);
  for (const [key, value] of isTrial ? [] : (plan.settings ?? [])) setSetting(place, key, value, "local", person);
  return { kind: format.kind, ...plan };
}

interface Source {
  readonly path: string;
  readonly text: string;
}

/** A file, or the mode state files of a directory. */
function sourcesIn(given: string): readonly Source[] {
  const isDirectory = statSync(resolve(given), { throwIfNoEntry: false })?.isDirectory() === true;
  const paths = isDirectory ? MODE_FILES.map((name) => join(given, name)) : [given];
  const sources = paths.flatMap((path) => {
    const text = rewritableText(resolve(path));
    return text === undefined ? [] : [{ path, text }];
  });
  if (sources.length > 0) return sources;
  if (!isDirectory) throw new Problem(`There is no file ${inline(given)}.`);
  throw new Problem(`${inline(given)} is a directory and has none of ${MODE_FILES.join(", ")}.`);
}

function formatFor(sources: readonly Source[]): Format {
  const [first, ...others] = sources.map(({ path, text }) => formatOf(basename(path), text));
  if (!first || others.some((other) => other !== first)) throw new Problem("The files are not of one kind.");
  return first;
}

/** Reads all files before recording anything; each is planned as if the earlier ones were imported. */
function planOf(format: Format, sources: readonly Source[], ground: ImportContext): Plan {
  let state = ground.state;
  const plans = sources.map(({ path, text }) => {
    const plan = format.read(text, { ...ground, state }, basename(path));
    if ("problem" in plan) throw new Problem(`${inline(path)}: ${plan.problem} Nothing was changed.`);
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
      if (!(error instanceof Problem) || at === 0) throw error;
      throw new Problem(`${error.message}\n${at} of ${changes.length} parts are in. Run the same command again.`);
    }
  }
}
