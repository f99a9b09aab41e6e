/** Settings files whose hooks of ours lead to a door, and to which. Light: looked at with every turn. */
import { type Door, isOurs, readSettings } from "../hosts/claude-code/hooks.ts";
import { readableHostFile } from "../world/host-file.ts";
import { type Environment, placesOf } from "../world/places.ts";

/** All files on the fast lane; with a door, only those whose hooks lead elsewhere. */
export function filesOnFastLane(env: Environment, cwd: string, except?: Door): readonly string[] {
  return placesOf(env, cwd, []).hostSettings.filter((path) => {
    // What we may not read is not ours to move.
    const text = readableHostFile(path);
    return text !== undefined && leadsAstray(text, except);
  });
}

interface Entry {
  readonly type?: unknown;
  readonly url?: unknown;
  readonly headers?: { readonly Authorization?: unknown };
}

function leadsAstray(text: string, door: Door | undefined): boolean {
  const hooks = Object.values(readSettings(text)?.hooks ?? {}).flat() as readonly { readonly hooks?: unknown }[];
  return hooks
    .flatMap((group) => (Array.isArray(group?.hooks) ? (group.hooks as readonly Entry[]) : []))
    .some((hook) => isOurs(hook) && hook.type === "http" && !(door && isAt(hook, door)));
}

function isAt({ url, headers }: Entry, { port, token }: Door): boolean {
  return String(url).startsWith(`http://127.0.0.1:${port}/`) && headers?.Authorization === `Bearer ${token}`;
}
