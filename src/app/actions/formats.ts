/** The file formats of other harnesses that can be imported and exported. */
import { stanceInForce } from "../../kernel/stance.ts";
import { valuesOf } from "../../state/settings/setting-rules.ts";
import type { Settings } from "../../state/settings/settings.ts";
import type { State } from "../../state/state.ts";
import { looksLikeCurrentPhase, readCurrentPhase } from "../../store/formats/current-phase.ts";
import { looksLikeModeState, MODE_FILES } from "../../store/formats/mode-states.ts";
import { looksLikeState, readStateFile } from "../../store/formats/state-file.ts";
import { looksLikeTrustScores, readTrustScores, trustImport } from "../../store/formats/trust-scores.ts";
import { stanceRows, trustRows } from "../../views/import.ts";
import { trustScores } from "../../views/trust-scores.ts";
import { Problem } from "../problem.ts";
import type { Plan } from "./import-plan.ts";
import { modeLines, planModes } from "./mode-formats.ts";

export interface ImportContext {
  readonly state: State;
  readonly settings: Settings;
  readonly now: number;
  /** The text of the state file, where a work tree is known. */
  readonly view?: () => string;
}

export interface Format {
  readonly kind: string;
  readonly about: string;
  readonly fileNames: readonly string[];
  looksRight(text: string): boolean;
  read(text: string, ground: ImportContext, name: string): Plan | { readonly problem: string };
  write(ground: ImportContext): string;
}

export const FORMATS: readonly Format[] = [
  {
    kind: "trust-scores",
    about: "trust-scores.json, versions 1 and 2 in, version 2 out",
    fileNames: ["trust-scores.json"],
    looksRight: looksLikeTrustScores,
    read(text, { state: { trust }, now }) {
      const reading = readTrustScores(text, now);
      if ("problem" in reading) return reading;
      const count = Object.keys(trust.domains).length;
      return {
        changes: trustImport(reading.value).map((change) => ({ change })),
        notes: reading.notes,
        rows: trustRows(trust, reading.value),
        ...(count > 0 && { replaces: `the trust in ${count} domain(s)` }),
      };
    },
    write({ state: { trust }, settings, now }) {
      // The reader of the file applies the decay for absence; applying it here too would count it twice.
      const rates = { ...settings.trust, hibernation_days: Number.POSITIVE_INFINITY };
      return `${JSON.stringify(trustScores(trust, now, rates), null, 2)}\n`;
    },
  },
  {
    kind: "current-phase",
    about: "current-phase.md of oath-harness, the word of the stance",
    fileNames: ["current-phase.md"],
    looksRight: looksLikeCurrentPhase,
    read(text, { state }) {
      const reading = readCurrentPhase(text);
      if ("problem" in reading) return reading;
      const { value: stance, notes } = reading;
      const change = { record: "stance", do: "set", stance } as const;
      return { changes: [{ change }], notes, rows: stanceRows(state.stance, stance) };
    },
    write: ({ state, settings }) => `${stanceInForce(state.stance, settings).stance.toUpperCase()}\n`,
  },
  {
    kind: "state-file",
    about: "state.md of the playbook framework: security, toolstack and roles in; the view of the work out",
    fileNames: ["state.md"],
    looksRight: looksLikeState,
    read(text, { settings }) {
      const reading = readStateFile(text);
      if ("problem" in reading) return reading;
      const known = valuesOf(settings);
      const rows = reading.settings.map(([what, after]) => ({ what, before: String(known[what] ?? ""), after }));
      return { changes: [], settings: reading.settings, notes: reading.notes, rows };
    },
    write: ({ view }) => view?.() ?? "",
  },
  {
    kind: "modes",
    about: "persistent-state.json, web-qa-state.json, turbo-state.json in; a line for each mode out",
    fileNames: MODE_FILES,
    looksRight: looksLikeModeState,
    read: (text, { state, now }, name) => planModes(text, name, state, now),
    write: ({ state }) => modeLines(state),
  },
];

export const KINDS = FORMATS.map(({ kind }) => kind).join(", ");

export function formatNamed(kind: string): Format {
  const format = FORMATS.find((candidate) => candidate.kind === kind);
  if (!format) throw new Problem(`There is no format "${kind}". Known: ${KINDS}.`);
  return format;
}

/** Detects the format by name and content; if they disagree, the person must name it. */
export function formatOf(name: string, text: string): Format {
  const found = FORMATS.filter(({ fileNames, looksRight }) => fileNames.includes(name) || looksRight(text));
  const [format] = found;
  if (format && found.length === 1) return format;
  const why = format ? "its name and its content say different things" : "neither its name nor its content says it";
  throw new Problem(`What ${name} holds cannot be told: ${why}. Say it with --as (${KINDS}).`);
}
