/** A person approves a plan as it is now. */
import { digestOf, partsOf } from "../../playbook/identity.ts";
import { lengthOf } from "../../playbook/ladder.ts";
import { headCommit } from "../../world/machine/head-commit.ts";
import type { Person } from "../person.ts";
import { Problem } from "../problem.ts";
import type { Here } from "../project.ts";
import type { PlaybookFile } from "../queries/playbooks.ts";
import { keepAction } from "./action.ts";

export function approvePlaybook(
  { store }: Here,
  root: string,
  { path, playbook, text }: PlaybookFile,
  person: Person,
): void {
  const [fault] = playbook.faults;
  if (fault) throw new Problem(`${path}:${fault.line} cannot be read as a plan (${fault.kind}). Nothing was approved.`);
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
    ...lengthOf(text.length),
  } as const;
  keepAction(store, { action: "playbook", detail: `approve ${path}`, changes: [change] }, Date.now(), person);
}
