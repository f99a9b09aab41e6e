/** The two lines of the session report, and what changed since the save. */
import { inline, type Language } from "../lib/text.ts";
import type { State } from "../state/state.ts";
import { notInitialised, ownWords, type Saved, type TrustState } from "./saved-session.ts";

export interface SessionReport {
  readonly phase: string;
  /** From the file's own text; null when it does not say. */
  readonly next: string | null;
  readonly open: {
    /** Background commands that have not ended yet. */
    readonly background: number;
    /** Approved questions that a person may accept for similar commands. */
    readonly suggestions: number;
  };
  readonly trust: string;
}

export function sessionReport(state: State, standing: TrustState, file: string, language: Language): SessionReport {
  return {
    phase: standing.stance.toUpperCase(),
    next: nextIn(ownWords(file)),
    open: { background: inBackground(state), suggestions: Object.keys(state.suggestions).length },
    trust: standing.isInitialised
      ? standing.domains
          .map(({ name, score, target }) => `${name}=${score.toFixed(2)}${target === undefined ? "" : "[R]"}`)
          .join(" ")
      : notInitialised(language),
  };
}

export function reportLines({ phase, next, open, trust }: SessionReport): readonly [string, string] {
  const parts = [
    ...(open.background > 0 ? [`${open.background} in the background`] : []),
    ...(open.suggestions > 0 ? [`${open.suggestions} suggestion(s) to accept`] : []),
  ];
  return [`Phase: ${phase} | next: ${next ?? "–"} | open: ${parts.join(", ") || "–"}`, `Trust: ${trust}`];
}

/** Counts background calls only: a foreground call ends before the report is read, and the asking call is one. */
function inBackground({ sessions }: State): number {
  const running = Object.values(sessions).filter(({ endedAt }) => endedAt === undefined);
  return running.flatMap(({ calls }) => Object.values(calls)).filter(({ background }) => background).length;
}

const NEXT_LINE = /^\s*(?:[-*]\s+)?\**(?:next(?: steps?)?|次(?:の(?:ステップ|作業))?)\**\s*[:：]\s*\**\s*(\S.*)$/i;
const NEXT_HEADING = /^#{1,6}\s+(?:next(?: steps?)?|次(?:の(?:ステップ|作業))?)\s*[:：]?\s*$/i;
const NEXT_CHARS_MAX = 80;

/** `Next: …`, or the first line below such a heading. */
function nextIn(text: string): string | null {
  const lines = text.split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const said = NEXT_LINE.exec(line)?.[1] ?? (NEXT_HEADING.test(line) ? firstBelow(lines.slice(at + 1)) : undefined);
    if (said !== undefined) return inline(said, NEXT_CHARS_MAX);
  }
  return null;
}

function firstBelow(lines: readonly string[]): string | undefined {
  const first = lines.find((line) => line.trim() !== "");
  if (first === undefined || first.startsWith("#")) return undefined;
  return first.trim().replace(/^(?:[-*]|\d+\.)\s+(?:\[[ xX]\]\s+)?/, "");
}

/** As text; empty when nothing changed. */
export function changedSince(saved: Saved, now: TrustState): readonly string[] {
  const before = new Map(saved.domains.map((domain) => [domain.name, domain]));
  const gone = [...before.keys()].filter((name) => !now.domains.some((domain) => domain.name === name));
  return [
    ...(saved.stance === now.stance ? [] : [`stance: ${saved.stance.toUpperCase()} → ${now.stance.toUpperCase()}`]),
    ...(saved.operations === now.operations ? [] : [`operations: ${saved.operations} → ${now.operations}`]),
    ...now.domains.flatMap(({ name, score, target }) => {
      const known = before.get(name);
      if (!known) return [`${name}: new, ${score}`];
      const began = known.target === undefined && target !== undefined ? ", recovering" : "";
      const ended = known.target !== undefined && target === undefined ? ", recovered" : "";
      const moved = known.score === score ? "" : `${known.score} → ${score}`;
      return moved + began + ended === "" ? [] : [`${name}: ${moved || score}${began}${ended}`];
    }),
    ...gone.map((name) => `${name}: no longer there`),
  ];
}
