/** A person approves a plan as it is now. */
import { text } from "../../lib/text.ts";
import { digestOf, partsOf } from "../../playbook/identity.ts";
import { lengthOf } from "../../playbook/ladder.ts";
import { RULES } from "../../playbook/lint/rules.ts";
import { headCommit } from "../../world/machine/head-commit.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import type { PlaybookFile } from "../queries/playbooks.ts";
import { keepAction } from "./action.ts";

export function approvePlaybook(
  { store, language }: Here,
  root: string,
  { path, playbook, text: written }: PlaybookFile,
  person: Person,
): void {
  const [fault] = playbook.faults;
  if (fault) {
    const { says, better } = RULES[fault.kind];
    const end = text("Nothing was approved.", "何も承認していません。");
    throw new Problem(`${path}:${fault.line}: ${says[language]} ${better[language]}\n${end[language]}`);
  }
  const digest = digestOf(playbook);
  const base = headCommit(root);
  const change = {
    record: "playbook",
    do: "approve",
    root,
    path,
    by: "command",
    digest,
    parts: partsOf(playbook),
    ...(base && { base }),
    ...lengthOf(written.length),
  } as const;
  keepAction(store, { action: "playbook", detail: `approve ${path}`, changes: [change] }, Date.now(), person);
}
