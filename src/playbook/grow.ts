/** Drafts a plan from work that has begun: what was asked, what was changed, what has passed. */
import type { Playbook, Proof, Step } from "./playbook.ts";

export interface Done {
  readonly name: string;
  /** What the person asked for. */
  readonly request?: string;
  readonly files: readonly string[];
  /** Commands that passed, then those that the project has. */
  readonly commands: readonly string[];
}

const REQUEST_CHARS = 200;
const SCOPE_MAX = 12;

export function grownPlan({ name, request, files, commands }: Done): Omit<Playbook, "dialect" | "blocks" | "faults"> {
  const [first] = commands;
  const what = request?.replace(/\s+/g, " ").trim().slice(0, REQUEST_CHARS);
  const proof: readonly Proof[] = first === undefined ? [] : [{ run: first, expected: "exit 0", line: 1 }];
  return {
    title: name,
    what: what || "(what is to be made, in one line)",
    why: "(why, in one line)",
    context: {},
    done: [{ words: first === undefined ? "(a state that anyone can check)" : `\`${first}\` exits with 0`, line: 1 }],
    steps: [
      step("1", "What is changed so far", scopeOf(files), `The first ${countOf(files)} hold the change`, proof),
      step("2", "(what is left to do)", [], "(what is true when it is done)", proof),
    ],
  };
}

function step(id: string, title: string, scope: readonly string[], criterion: string, proofs: readonly Proof[]): Step {
  const box = { id: `${id}.1`, named: true, line: 1, mark: "open", criterion, proofs, depends: [] } as const;
  return { id, title, line: 1, depends: [], scope, subtasks: [box] };
}

function countOf(files: readonly string[]): string {
  return files.length === 1 ? "1 file" : `${files.length} files`;
}

/** A plan is read by people: many files are named by their directories. */
function scopeOf(files: readonly string[]): readonly string[] {
  if (files.length <= SCOPE_MAX) return files;
  const folders = files.map((path) => (path.includes("/") ? `${path.slice(0, path.lastIndexOf("/"))}/**` : path));
  return [...new Set(folders)].slice(0, SCOPE_MAX);
}
