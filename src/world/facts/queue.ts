/** The inbox of an agent in the project's queue, as other tools write it. Parsed: words in an entry are no entry. */
import { join } from "node:path";
import { readPlain } from "../../disk/plain-file.ts";
import type { QueuedEntry, QueueFound } from "../../kernel/facts.ts";
import { found } from "../../lib/buckets.ts";
import type { Box } from "../../state/inbox/box.ts";
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
  const fresh: QueuedEntry[] = [];
  const read: string[] = [];
  const broken: string[] = [];
  for (const name of [actor, ...boxesOf(actor, from.settings.roles)]) {
    const file = `${name}.yaml`;
    const value = valueIn(join(root, file), readYaml);
    if (value === undefined) continue;
    const document = "broken" in value ? undefined : queueIn(value.layer ?? {});
    if (!document) broken.push(file);
    for (const { fields, key } of document?.entries ?? []) {
      const entry = queueEntry(fields, key, file);
      const isOpen = found(box.open, entry.id) !== undefined;
      if (entry.isRead && isOpen) read.push(entry.id);
      if (entry.isRead || key === "" || isOpen || box.closed.includes(entry.id)) continue;
      const { id, type, subject, isNote } = entry;
      fresh.push({ id, file, from: entry.from, type, subject, note: isNote });
    }
  }
  return { fresh: fresh.slice(0, FRESH_MAX), read, broken };
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
