/** Drafts a playbook from what a session has done since the person's last request. */

import { inline } from "../../lib/text.ts";
import type { ChangedFile } from "../../playbook/diff.ts";
import { grownPlan } from "../../playbook/grow.ts";
import { isSlight, type Size, sizeOf } from "../../playbook/ladder.ts";
import { writePlaybook } from "../../playbook/write.ts";
import type { Session } from "../../state/session/session.ts";
import { lastPrompts } from "../../world/facts/prompts.ts";
import { host } from "../host.ts";
import { Problem } from "../problem.ts";
import { changedSinceRequest, sessionOf } from "../queries/change-size.ts";
import { type WorkHere, workHere } from "../queries/work.ts";
import { type Made, madePlaybook, newId } from "./playbook-files.ts";

export interface Grown extends Made {
  readonly size: Size;
  readonly commands: readonly string[];
}

export function growPlaybook(root: string, name: string): Grown {
  const work = workHere();
  if (work.sessionId === undefined)
    throw new Problem(
      "No session of an agent has been seen in this project, so there is no work to draft a plan from.\n" +
        `An empty plan to fill in: \`sekisho playbook new ${inline(name)}\`. Nothing was written.`,
    );
  const session = sessionOf(work);
  const changed = changedSinceRequest(root, session) ?? [];
  const commands = commandsOf(work, root);
  const request = requestOf(session);
  const files = changed.filter(counts).map(({ path }) => path);
  const plan = grownPlan({ name, files, commands, ...(request !== undefined && { request }) });
  const made = madePlaybook(root, name, writePlaybook({ ...plan, id: newId() }));
  return { ...made, commands, size: sizeOf(changed, work.here.settings.settings.plan) };
}

const counts = ({ path, lines }: ChangedFile): boolean => lines > 0 && !isSlight(path);

/** Those that passed come first, then the checks that the project has. */
function commandsOf({ known: { session, verify }, tree }: WorkHere, root: string): readonly string[] {
  const runs = Object.values(session.checks ?? {}).flatMap(({ whole, other }) => [whole ?? [], other ?? []].flat());
  const passed = runs.filter((run) => run.root === root && run.outcome === "passed");
  const own = tree.checks.filter(({ name }) => verify.require.includes(name));
  return [...new Set([...passed, ...own].map(({ command }) => command))];
}

function requestOf(session: Session): string | undefined {
  const { transcript = "" } = session;
  if (!host.readPrompt || transcript === "") return undefined;
  const event = { name: "PreCompact", session: "", cwd: "/", attended: true, trigger: "", transcript } as const;
  return lastPrompts(event, session, host.readPrompt, 1)[0];
}
