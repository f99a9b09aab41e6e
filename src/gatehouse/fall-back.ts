/** When nobody trustworthy answers at the door, the hooks are moved back to the lane that needs no door. */
import { readText, replaceText } from "../cli/settings-file.ts";
import { isOurs, readSettings } from "../hosts/claude-code/hooks.ts";
import { withOurs } from "../hosts/claude-code/install.ts";
import { registeredEvents } from "../policies/index.ts";
import { type Environment, placesOf } from "../world/places.ts";

/** The files that were rewritten. The client reads them again within a second or two. */
export function fallBack(
  env: Environment,
  program: { readonly node: string; readonly bundle: string },
  cwd: string,
): readonly string[] {
  const { hostSettings } = placesOf(env, cwd, []);
  return hostSettings.filter((path) => {
    const before = readText(path);
    if (before === undefined || !onFastLane(before)) return false;
    const after = withOurs(before, registeredEvents, program);
    if ("problem" in after) return false;
    replaceText(path, before, after.text);
    return true;
  });
}

function onFastLane(text: string): boolean {
  const hooks = Object.values(readSettings(text)?.hooks ?? {}).flat() as readonly { readonly hooks?: unknown }[];
  return hooks
    .flatMap((group) => (Array.isArray(group?.hooks) ? group.hooks : []))
    .some((hook: unknown) => isOurs(hook) && (hook as { type?: unknown }).type === "http");
}
