/** Makes playbook files: an empty one to fill in, or one from a plan of another tool. */
import { randomBytes } from "node:crypto";
import { basename, dirname, extname, join } from "node:path";
import { inline, type Language, text } from "../../lib/text.ts";
import { type ImportedPlan, importedPlan } from "../../playbook/import.ts";
import { type Playbook, type Step, subtasksOf } from "../../playbook/playbook.ts";
import { writePlaybook } from "../../playbook/write.ts";
import { PLAYBOOK_DIRECTORY } from "../../world/facts/plan/playbooks.ts";
import { writeAnew } from "../../world/machine/new-file.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import type { PlaybookFile } from "../queries/playbooks.ts";

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u;

export interface Made {
  /** Relative to the work tree. */
  readonly path: string;
  readonly text: string;
}

/** A file that exists is never overwritten. */
export function newPlaybook({ settings, language }: Here, root: string, name: string): Made {
  const title = name.replace(/\.md$/, "");
  const draft = draftIn(language, settings.settings.plan.review === "path");
  return madePlaybook(root, title, writePlaybook({ ...draft, id: newId(), title }));
}

export interface Imported extends Made, Pick<ImportedPlan, "notes"> {}

export function importPlaybook(root: string, { path, playbook }: PlaybookFile, as: string | undefined): Imported {
  if (subtasksOf(playbook).length === 0)
    throw new Problem(
      `${path} has no boxes (\`- [ ] …\`), so there is nothing to import. Nothing was written.\n` +
        "`sekisho playbook new NAME` makes a plan to fill in.",
    );
  const plan = importedPlan(playbook);
  const name = as ?? nameFrom(path, playbook);
  return { ...madePlaybook(root, name, writePlaybook({ ...plan.playbook, id: newId() })), notes: plan.notes };
}

/** `plan.json` of version 2 is named by its directory. */
function nameFrom(path: string, { title }: Playbook): string {
  const file = basename(path, extname(path)).replace(/^playbook-/, "");
  const name = /^(?:plan|tasks)$/.test(file) ? title || basename(dirname(path)) : file;
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[^\p{L}\p{N}]+|-+$/gu, "");
  return plain.slice(0, 60) || "imported";
}

/** A reader sees the whole file or none, and of two writers one. */
export function madePlaybook(root: string, name: string, words: string): Made {
  if (!NAME.test(name))
    throw new Problem(
      `“${inline(name)}” is no name for a playbook: use at most 60 letters, digits, dots, underscores and dashes.`,
    );
  const path = `${PLAYBOOK_DIRECTORY}/${name}.md`;
  try {
    writeAnew(join(root, path), words);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new Problem(`${path} is already there. Nothing was changed.`);
    throw new Problem(`${path} could not be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { path, text: words };
}

/** Random, so that playbooks made on two branches never have the same one. */
export function newId(): string {
  return randomBytes(4).toString("hex");
}

function draftStep(id: string, title: string, criterion: string): Step {
  const proofs = [{ run: "npm test", expected: "exit 0", line: 1 }];
  const box = { id: `${id}.1`, named: true, line: 1, mark: "open", criterion, proofs, depends: [] } as const;
  return { id, title, line: 1, depends: [], scope: [], subtasks: [box] };
}

const WORDS = {
  what: text("(what is to be made, in one line)", "(何を作るか、一行で)"),
  why: text("(why, in one line)", "(なぜ作るか、一行で)"),
  done: text("(a state that anyone can check)", "(誰でも確かめられる状態)"),
  step: text("(the first step)", "(最初のステップ)"),
  criterion: text("(what is true when it is done)", "(終わったときに成り立つこと)"),
  who: text("(who)", "(誰が)"),
  when: text("(by when)", "(いつまでに)"),
  where: text("(which files)", "(どのファイルで)"),
  how: text("(in which way)", "(どのように)"),
  documents: text("Documents", "文書"),
  page: text("(which page says what is new)", "(新しい内容がどのページにあるか)"),
  proof: text("Proof of the whole", "全体の証明"),
  shows: text("(what shows each line of Done when)", "(完了条件のそれぞれを何が示すか)"),
};

/** `isWhole`: with what the playbook framework demands, all six answers and the two steps that a larger plan ends with. */
function draftIn(language: Language, isWhole: boolean) {
  const say = (key: keyof typeof WORDS): string => WORDS[key][language];
  const ends = [
    draftStep("p_self_update", say("documents"), say("page")),
    draftStep("p_final", say("proof"), say("shows")),
  ];
  return {
    what: say("what"),
    why: say("why"),
    context: isWhole ? { who: say("who"), when: say("when"), where: say("where"), how: say("how") } : {},
    done: [{ words: say("done"), line: 1 }],
    steps: [draftStep("1", say("step"), say("criterion")), ...(isWhole ? ends : [])],
  };
}
