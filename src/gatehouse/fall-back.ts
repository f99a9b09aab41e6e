/** When nobody trustworthy answers at the door, the hooks are moved back to the lane that needs no door. */
import { statSync } from "node:fs";
import { readText, replaceText } from "../cli/settings-file.ts";
import { type Door, isOurs, readSettings } from "../hosts/claude-code/hooks.ts";
import { withOurs } from "../hosts/claude-code/install.ts";
import { registeredEvents } from "../policies/index.ts";
import { type Environment, placesOf } from "../world/places.ts";

interface Program {
  readonly node: string;
  readonly bundle: string;
}

/**
 * The files that were rewritten; with a door, only those whose hooks lead elsewhere. The client reads them again within
 * a second or two.
 */
export function fallBack(env: Environment, program: Program, cwd: string, except?: Door): readonly string[] {
  const { hostSettings } = placesOf(env, cwd, []);
  return hostSettings.filter((path) => {
    try {
      return moveToPlain(path, program, except);
    } catch (error) {
      // One that cannot be written, a managed one perhaps, keeps no other one from being moved.
      void error;
      return false;
    }
  });
}

function moveToPlain(path: string, program: Program, except: Door | undefined): boolean {
  // Reading a pipe in its place would never end.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const before = readText(path);
  if (before === undefined || !leadsAstray(before, except)) return false;
  const after = withOurs(before, registeredEvents, program);
  if ("problem" in after) return false;
  replaceText(path, before, after.text);
  return true;
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
