/** The corpus: one behaviour per row. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Verdict } from "./e2e/answer.ts";
import { program } from "./e2e/program.ts";
import type { Stage } from "./e2e/stage.ts";

/**
 * A shell command, or a tool with its input; @project, @home, @state, @journal and @program are placeholders for the
 * stage's paths.
 */
export interface Row {
  readonly id: string;
  readonly command?: string;
  readonly tool?: string;
  readonly input?: object;
  /** The agent's working directory, relative to the project. */
  readonly cwd?: string;
  /** Symbolic links to create, relative to the project: name → target. */
  readonly links?: Readonly<Record<string, string>>;
  readonly expect: Verdict;
  /** The first policy that objects. */
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

export function filled(text: string, { project, home, state, journal }: Stage): string {
  const installed = dirname(program.bundle);
  const places: Readonly<Record<string, string>> = { project, home, state, journal: journal(), program: installed };
  return text.replace(/@(project|home|state|journal|program)\b/g, (_, name: string) => places[name] ?? "");
}
