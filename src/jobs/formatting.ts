/** A file before and after a formatter ran on it. */

import { closeSync, constants, lstatSync, openSync, statSync, writeSync } from "node:fs";
import { plainFile } from "../disk/plain-file.ts";
import { within } from "../lib/paths.ts";
import { isBuilt } from "../reading/operation/file-kind.ts";
import type { Session } from "../state/session/session.ts";
import { trueName } from "../world/machine/places.ts";

/** Larger files are hardly hand-written and would take too long. */
const BYTES_MAX = 1024 * 1024;

export interface Original {
  readonly content: Buffer;
  readonly mode: number;
}

/** Undefined unless the path is a regular file of the project that is not reached through a link. */
export function originalOf(path: string, project: string): Original | undefined {
  const inside = within(path, project) && path !== project ? path.slice(project.length + 1) : undefined;
  if (inside === undefined || isBuilt(inside) || /(?:^|\/)\.git\//.test(inside)) return undefined;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > BYTES_MAX || trueName(path) !== path) return undefined;
  const file = plainFile(path, BYTES_MAX);
  return file && !file.cut ? { content: file.bytes, mode: file.mode & 0o777 } : undefined;
}

/** The first of these files that changed since the session began: it may be code of the agent's. */
export function changedIn(
  { startedAt, written = [] }: Pick<Session, "startedAt" | "written">,
  files: readonly string[],
): string | undefined {
  return files.find((file) => {
    const newest = Math.max(lstatSync(file).ctimeMs, statSync(file).ctimeMs);
    return newest > startedAt || written.includes(trueName(file));
  });
}

/** The effect of the formatter. `lost`: the file was empty or gone, and its content was restored. */
export function madeOf(path: string, { content, mode }: Original): "same" | "other" | "lost" | "replaced" {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() && (stat.size > 0 || content.length === 0)) {
    return stat.size === content.length && plainFile(path, BYTES_MAX)?.bytes.equals(content) ? "same" : "other";
  }
  // A link may lead somewhere else, so nothing is written through it.
  if (stat && !stat.isFile()) return "replaced";
  putBack(path, content, mode);
  return "lost";
}

function putBack(path: string, content: Buffer, mode: number): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, mode);
  try {
    for (let at = 0; at < content.length; ) at += writeSync(fd, content, at);
  } finally {
    closeSync(fd);
  }
}
