/** The inbox of an agent in the project's queue, as other tools write it. Parsed: words in an entry are no entry. */
import { join } from "node:path";
import { readPlain } from "../../disk/plain-file.ts";
import type { QueuedEntry, QueueFound } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import type { Box } from "../../state/inbox/box.ts";
import { isMadeId } from "../../state/inbox/made-id.ts";
import { queueEntry, queueIn } from "../../state/inbox/queue.ts";
import { boxesOf } from "../../state/roles/names.ts";
import type { Settings } from "../../state/settings/settings.ts";
import type { Environment } from "../machine/places.ts";
import type { ReadYaml } from "../yaml.ts";

interface Looking {
  readonly readYaml?: ReadYaml;
  readonly env: Environment;
  readonly settings: Pick<Settings, "roles" | "inbox">;
  readonly places: { readonly project: string };
}

const BYTES_MAX = 4 * 1024 * 1024;
/** More are counted when these are recorded. */
const FRESH_MAX = 20;

/** The tests of the original put the queue elsewhere with it. */
const ROOT = "__STOP_HOOK_SCRIPT_DIR";

export function queueRoot({ env, settings, places }: Omit<Looking, "readYaml">): string | undefined {
  const { queue } = settings.inbox;
  return queue === "" ? undefined : join(env[ROOT] || places.project, queue);
}

export function queueFound(actor: string, box: Box, from: Looking): QueueFound | undefined {
  const root = queueRoot(from);
  const { readYaml } = from;
  if (root === undefined || !readYaml) return undefined;
  const files = [actor, ...boxesOf(actor, from.settings.roles)].map((name) => `${name}.yaml`);
  const found = files.map((file) => fileFound(file, box, valueIn(join(root, file), readYaml)));
  return {
    fresh: found.flatMap(({ fresh }) => fresh).slice(0, FRESH_MAX),
    read: found.flatMap(({ read }) => read),
    broken: found.flatMap(({ broken }) => broken),
  };
}

const NOTHING: QueueFound = { fresh: [], read: [], broken: [] };

function fileFound(file: string, box: Box, value: ReturnType<typeof valueIn>): QueueFound {
  if (value === undefined) return NOTHING;
  const document = "broken" in value ? undefined : queueIn(value.layer ?? {});
  if (!document) return { ...NOTHING, broken: [file] };
  const entries = document.entries
    .filter(({ key }) => key !== "")
    .map(({ fields, key }) => queueEntry(fields, key, file));
  const isOpen = ({ id }: { readonly id: string }): boolean => own(box.shown, id) !== undefined;
  return {
    ...NOTHING,
    read: entries.filter((entry) => entry.isRead && isOpen(entry)).map(({ id }) => id),
    // An id of our own that the inbox doesn't know was written by somebody else.
    fresh: entries
      .filter((entry) => !entry.isRead && !isOpen(entry) && !box.seen.includes(entry.id) && !isMadeId(entry.id))
      .map(({ id, from, type, subject, isNote }): QueuedEntry => ({ id, file, from, type, subject, note: isNote })),
  };
}

function valueIn(
  path: string,
  readYaml: ReadYaml,
): { readonly layer: unknown } | { readonly broken: true } | undefined {
  const file = readPlain(path, BYTES_MAX);
  if (!file) return undefined;
  if ("problem" in file || file.cut) return { broken: true };
  const value = readYaml(file.bytes.toString());
  return "problem" in value ? { broken: true } : value;
}
