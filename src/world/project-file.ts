/** A text of the project that a command of ours reads and writes: nowhere else, through no link, and nobody's settings. */
import { relative, resolve } from "node:path";
import { within } from "../kernel/paths.ts";
import { trueName } from "./places.ts";
import { real, workTreeOf } from "./work-tree.ts";

/** Where programs look for what they should do. */
const PROGRAMS_OWN = /(?:^|\/)\.(?:git|claude|sekisho)(?:\/|$)/i;

/** The file by its true name, or why it cannot be had. By default it stands at the root of the work tree. */
export function projectFile(
  cwd: string,
  given: string | undefined,
  name: string,
): { readonly path: string } | { readonly problem: string } {
  const here = real(cwd);
  const root = workTreeOf(here)?.root ?? here;
  const path = given === undefined ? `${root}/${name}` : resolve(here, given);
  if (path === root) return { problem: "is the project's directory and no file" };
  if (!within(path, root)) return { problem: `is outside the project (${root})` };
  if (PROGRAMS_OWN.test(relative(root, path))) return { problem: "lies where programs keep their settings" };
  if (!path.endsWith(".md")) return { problem: "is no Markdown file: its name must end in .md" };
  if (trueName(path) !== path) return { problem: `is reached through a link to ${trueName(path)}` };
  return { path };
}
