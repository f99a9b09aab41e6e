/** The plan that is worked on, as a file, and whether a tool use has just shown it. Nothing of it is read here. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HookEvent } from "../../kernel/event.ts";
import { type Facts, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { names } from "../../lib/name-table.ts";
import { absolute, fromHome } from "../../lib/paths.ts";
import { operationOf } from "../../reading/operation/operation.ts";
import { trueName } from "../machine/places.ts";
import { rootOf } from "../machine/work-tree.ts";
import type { Looking } from "./looking.ts";
import { countsHere } from "./playbooks.ts";

export function planFile({
  event,
  places,
  state,
}: Pick<Looking, "event" | "places" | "state">): Facts["planFile"] | Unknown {
  if (isUnknown(state)) return state;
  const root = rootOf(event.cwd, places.project);
  const { active, approvals = {} } = own(state.playbooks ?? {}, root) ?? {};
  const approval = active === undefined ? undefined : own(approvals, active);
  if (active === undefined || !approval || !countsHere(approval, event.session)) return null;
  const file = join(root, active);
  if (!existsSync(file)) return null;
  const real = trueName(file);
  return { path: active, isShown: event.name === "PostToolUse" && shownBy(event, places.home).includes(real) };
}

/** The real paths of the files that it has shown: another file of the same name is another file. */
function shownBy({ tool, cwd }: HookEvent<"PostToolUse">, home: string): readonly string[] {
  if (tool.kind === "read") return [trueName(absolute(fromHome(tool.path ?? "", home), cwd) ?? cwd)];
  if (tool.kind !== "bash") return [];
  // Alone on its line: behind a pipe or a redirection nobody knows how much of it was shown.
  const { shell, effects } = operationOf(tool, { cwd, home });
  const [only, ...more] = shell?.invocations ?? [];
  const isPlain = only && more.length === 0 && only.redirects.length === 0 && only.via.length === 0;
  if (!isPlain || only.remote || only.contained || !SHOWS.has(only.name ?? "")) return [];
  return effects.flatMap(({ path, literal }) => (literal && path.startsWith("/") ? [trueName(path)] : []));
}

const SHOWS = names("cat bat nl");
