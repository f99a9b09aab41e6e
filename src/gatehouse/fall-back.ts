/** When nobody trustworthy answers at the door, the hooks are moved back to the lane that needs no door. */
import { withOurs } from "../hosts/claude-code/install.ts";
import { registrationIn } from "../hosts/claude-code/registered.ts";
import type { EventName } from "../kernel/event.ts";
import { replaceHostFile, rewritableText } from "../world/host-file-writing.ts";

interface Program {
  readonly node: string;
  readonly bundle: string;
}

/** The files that were rewritten. The client reads them again within a second or two. */
export function moveToPlain(paths: readonly string[], program: Program): readonly string[] {
  return paths.filter((path) => {
    try {
      const before = rewritableText(path);
      const after = withOurs(before, eventsIn(before), program);
      if ("problem" in after) return false;
      replaceHostFile(path, before, after.text);
      return true;
    } catch (error) {
      // One that cannot be written, a managed one perhaps, keeps no other one from being moved.
      void error;
      return false;
    }
  });
}

/** The same events as before: the law, which knows them all, is too much to load for this. */
function eventsIn(text: string | undefined): readonly EventName[] {
  const hooks = registrationIn(text)?.hooks ?? [];
  return [...new Set(hooks.map(({ event }) => event as EventName))];
}
