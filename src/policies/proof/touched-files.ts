/** The files of the project that a tool use would write or delete, by whatever tool. */
import type { Tool } from "../../kernel/event.ts";
import type { TouchedFile } from "../../kernel/evidence-rule.ts";
import type { Places } from "../../kernel/facts.ts";
import { fileKind, isBuilt, isGenerated } from "../../kernel/file-kind.ts";
import { gitVerb } from "../../kernel/git-site.ts";
import type { Operation } from "../../kernel/operation.ts";
import { within } from "../../kernel/paths.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";
import { own } from "../../state/keyed.ts";
import { type Reach, reachesOf } from "../repository/reach.ts";

export interface Ground {
  readonly cwd: string;
  readonly places: Places;
  readonly targets: Readonly<Record<string, string>>;
  /** Of the paths that would change: whether something of the project is there. */
  readonly standing: Readonly<Record<string, boolean>>;
  /** Further endings of code. */
  readonly endings: readonly string[];
}

export function touchedFiles(tool: Tool, operation: Operation, ground: Ground): readonly TouchedFile[] {
  const { shell, ...rest } = operation;
  // What git brings was written before; a patch that it applies was not.
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

function touched({ names, how, spelled }: Reach, effect: "write" | "delete", ground: Ground): TouchedFile {
  const path = `/${names.map(({ text }) => text).join("/")}`;
  const { project } = ground.places;
  const below = within(path, project) ? path.slice(project.length + 1) : path;
  // What a build makes is nobody's writing.
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

/** By either of its names: a link, and what it leads to. */
function isThere(path: string, { standing, targets }: Ground): boolean {
  if (own(standing, path) !== undefined) return standing[path] === true;
  return Object.entries(targets).some(([name, target]) => target === path && own(standing, name) === true);
}

/** Our own files and the client's settings have rules of their own. */
function isOfProject({ path, isThere: stands }: TouchedFile, { places }: Ground): boolean {
  const { project, state, config, installed, hostSettings } = places;
  const isOurs = [state, ...config, ...installed, ...hostSettings].some((place) => within(path, place));
  return !isOurs && (within(path, project) || stands);
}
