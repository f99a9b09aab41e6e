/** A judge that the worker has written itself judges nothing. */
import type { HostTraits } from "../../kernel/host-traits.ts";
import { bareName } from "../../state/session/proof.ts";
import type { Session } from "../../state/session/session.ts";

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
