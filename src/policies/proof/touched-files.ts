/** The project files that a tool use would write or delete, with any tool. */

import type { TouchedFile } from "../../evidence/evidence-rule.ts";
import type { Places } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import { within } from "../../lib/paths.ts";
import { fileKind, isBuilt, isGenerated } from "../../reading/operation/file-kind.ts";
import { gitVerb } from "../../reading/operation/git-site.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";
import type { Tool } from "../../reading/tool.ts";
import { type Reach, reachesOf } from "../repository/reach.ts";

export interface FileContext {
  readonly cwd: string;
  readonly places: Places;
  readonly targets: Readonly<Record<string, string>>;
  /** For each path that would change: whether a project file exists there. */
  readonly standing: Readonly<Record<string, boolean>>;
  /** Additional file extensions that count as code. */
  readonly endings: readonly string[];
}

export function touchedFiles(tool: Tool, operation: Operation, ground: FileContext): readonly TouchedFile[] {
  const { shell, ...rest } = operation;
  // Content that git restores or merges is not new writing; a patch that git applies is.
  const authored = shell && { ...shell, invocations: shell.invocations.filter((one) => !onlyMoves(one)) };
  const effects = operation.effects.filter(({ by }) => by !== "git");
  const written = {
    ...rest,
    effects: effects.filter(({ kind }) => kind === "write"),
    ...(authored && { shell: authored }),
  };
  const deleted = { ...rest, effects: effects.filter(({ kind }) => kind === "delete") };
  const place = { cwd: ground.cwd, project: ground.places.project, home: ground.places.home, targets: ground.targets };
  const files = [
    ...reachesOf(tool, written, place).map((reach) => touched(reach, "write", ground)),
    ...(deleted.effects.length === 0
      ? []
      : reachesOf(tool, deleted, place).map((one) => touched(one, "delete", ground))),
  ];
  return files.filter((file) => isOfProject(file, ground));
}

function onlyMoves(invocation: Invocation): boolean {
  const verb = gitVerb(invocation);
  return verb !== undefined && verb !== "apply" && verb !== "am";
}

function touched({ names, how, spelled }: Reach, effect: "write" | "delete", ground: FileContext): TouchedFile {
  const path = `/${names.map(({ text }) => text).join("/")}`;
  const { project } = ground.places;
  const below = within(path, project) ? path.slice(project.length + 1) : path;
  // Build output is not written by the agent.
  const isMade = isBuilt(below) || isGenerated(below);
  const kind = how === "below" || isMade ? "other" : fileKind(path, ground.endings);
  return {
    path: how === "below" ? path.replace(/(?:\/\*\*)+$/, "") : path,
    spelled,
    effect,
    kind,
    how,
    isThere: isThere(path, ground),
  };
}

/** Checks the path and every link that leads to it. */
function isThere(path: string, { standing, targets }: FileContext): boolean {
  if (own(standing, path) !== undefined) return standing[path] === true;
  return Object.entries(targets).some(([name, target]) => target === path && own(standing, name) === true);
}

/** Sekisho's own files and the host's settings have their own policies. */
function isOfProject({ path, isThere: stands }: TouchedFile, { places }: FileContext): boolean {
  const { project, state, config, installed, hostSettings } = places;
  const isOurs = [state, ...config, ...installed, ...hostSettings].some((place) => within(path, place));
  return !isOurs && (within(path, project) || stands);
}
