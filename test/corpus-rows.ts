/** The corpus: one behaviour a row. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { program, type Stage, type Verdict } from "./e2e/stage.ts";

/**
 * A shell command, or a tool with its input; @project, @home, @state, @journal and @program stand for the places of the
 * stage.
 */
export interface Row {
  readonly id: string;
  readonly command?: string;
  readonly tool?: string;
  readonly input?: object;
  /** Where the agent stands, from the project. */
  readonly cwd?: string;
  /** Links that are there, from the project: name → target. */
  readonly links?: Readonly<Record<string, string>>;
  readonly expect: Verdict;
  /** Who objects first. */
  readonly policy?: string;
}

const CORPUS = join(import.meta.dirname, "corpus");

export function corpusNames(): readonly string[] {
  return readdirSync(CORPUS)
    .flatMap((name) => /^(.+)\.jsonl$/.exec(name)?.[1] ?? [])
    .sort();
}

export function rowsOf(name: string): readonly Row[] {
  const lines = readFileSync(join(CORPUS, `${name}.jsonl`), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as Row);
}

/** With the places of the stage put in. */
export function filled(text: string, { project, home, state, journal }: Stage): string {
  const installed = dirname(program.bundle);
  const places: Readonly<Record<string, string>> = { project, home, state, journal: journal(), program: installed };
  return text.replace(/@(project|home|state|journal|program)\b/g, (_, name: string) => places[name] ?? "");
}
