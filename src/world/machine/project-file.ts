/**
 * A Markdown file of the project that a command of ours reads and writes: inside the project, not through a link, and
 * no settings.
 */
import { relative, resolve } from "node:path";
import { within } from "../../lib/paths.ts";
import type { HostLayout } from "../host-layout.ts";
import { trueName } from "./places.ts";
import { real, workTreeOf } from "./work-tree.ts";

/** Where programs look for what they should do; the host has a directory of its own. */
const PROGRAMS_OWN = [".git", ".sekisho"];

/** The resolved path, or why it is refused. The default is at the root of the work tree. */
export function projectFile(
  cwd: string,
  given: string | undefined,
  name: string,
  { directory }: Pick<HostLayout, "directory">,
): { readonly path: string } | { readonly problem: string } {
  const here = real(cwd);
  const root = workTreeOf(here)?.root ?? here;
  const path = given === undefined ? `${root}/${name}` : resolve(here, given);
  if (path === root) return { problem: "is the project's directory and no file" };
  if (!within(path, root)) return { problem: `is outside the project (${root})` };
  const parts = relative(root, path).toLowerCase().split("/");
  if ([...PROGRAMS_OWN, directory].some((name) => parts.includes(name)))
    return { problem: "lies where programs keep their settings" };
  if (!path.endsWith(".md")) return { problem: "is no Markdown file: its name must end in .md" };
  if (trueName(path) !== path) return { problem: `is reached through a link to ${trueName(path)}` };
  return { path };
}
