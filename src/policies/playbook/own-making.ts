/** A judge that the worker has written itself judges nothing. */
import type { PlanFound } from "../../kernel/facts.ts";
import type { HostTraits } from "../../kernel/host-traits.ts";
import { bareName } from "../../state/session/proof.ts";
import type { Session } from "../../state/session/session.ts";

/** The person approved the plan with another judge, or with none: whoever changed this one since, it is not that judge. */
export function isNewJudge({ judgeAt, active }: Pick<PlanFound, "judgeAt" | "active">): boolean {
  return judgeAt !== undefined && active?.approvedAt !== undefined && judgeAt > active.approvedAt;
}

/** In a project's own agents any file may name any agent; in a plugin the file is named like it. */
export function isOwnMaking(
  type: string,
  { written = [] }: Pick<Session, "written">,
  { agentsDirectory }: Pick<HostTraits, "agentsDirectory">,
): boolean {
  const file = `/agents/${bareName(type)}.md`;
  const isOfProject = !type.includes(":");
  return written.some((path) => path.endsWith(file) || (isOfProject && `${path}/`.includes(`/${agentsDirectory}/`)));
}
