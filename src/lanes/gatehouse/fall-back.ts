/** When no trustworthy daemon answers, moves the hooks back to the plain lane. */
import { HOST, registrations } from "../../hosts/index.ts";
import type { EventName } from "../../kernel/event.ts";
import { replaceHostFile, rewritableText } from "../../world/machine/host-file-writing.ts";

const { withOurs, registrationIn } = registrations[HOST];

interface Program {
  readonly node: string;
  readonly bundle: string;
}

/** Returns the rewritten files. The host reloads them within one or two seconds. */
export function moveToPlain(paths: readonly string[], program: Program): readonly string[] {
  return paths.filter((path) => {
    try {
      const before = rewritableText(path);
      const key = registrationIn(before)?.key;
      const after = withOurs(before, eventsIn(before), { ...program, key });
      if ("problem" in after) return false;
      replaceHostFile(path, before, after.text);
      return true;
    } catch (error) {
      // A file that cannot be written, for example a managed one, does not stop the others.
      void error;
      return false;
    }
  });
}

/** Keeps the registered events; loading all policies to list them would cost too much here. */
function eventsIn(text: string | undefined): readonly EventName[] {
  const hooks = registrationIn(text)?.hooks ?? [];
  return [...new Set(hooks.map(({ event }) => event as EventName))];
}
