/** When nobody trustworthy answers at the door, the hooks are moved back to the lane that needs no door. */
import { readText, replaceText } from "../cli/settings-file.ts";
import { withOurs } from "../hosts/claude-code/install.ts";
import { registeredEvents } from "../policies/index.ts";

interface Program {
  readonly node: string;
  readonly bundle: string;
}

/** The files that were rewritten. The client reads them again within a second or two. */
export function moveToPlain(paths: readonly string[], program: Program): readonly string[] {
  return paths.filter((path) => {
    try {
      const before = readText(path);
      const after = withOurs(before, registeredEvents, program);
      if ("problem" in after) return false;
      replaceText(path, before, after.text);
      return true;
    } catch (error) {
      // One that cannot be written, a managed one perhaps, keeps no other one from being moved.
      void error;
      return false;
    }
  });
}
