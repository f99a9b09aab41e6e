/** The skills that a session can take up: the project's, the user's, and those of plugins that are switched on. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Places } from "../kernel/facts.ts";
import { within } from "../kernel/paths.ts";
import type { Environment } from "./places.ts";

interface Looking {
  readonly env: Environment;
  readonly places: Pick<Places, "project" | "home" | "hostSettings">;
  readonly event: { readonly cwd: string };
}

const NAMES_MAX = 300;

export function skillsOf({ env, places, event }: Looking): readonly string[] {
  const user = env["CLAUDE_CONFIG_DIR"] || join(places.home, ".claude");
  const plugins = [env["CLAUDE_PLUGIN_ROOT"] ?? "", ...pluginsOf(user, places.hostSettings)].filter(
    (path) => path !== "",
  );
  const roots = [...projectRoots(event.cwd, places.project).map((root) => join(root, ".claude")), user, ...plugins];
  const found = roots.flatMap((root) => skillsIn(join(root, "skills")));
  return [...new Set(found)].slice(0, NAMES_MAX);
}

/** The client looks in the directory it stands in and in those above, up to the project's root. */
function projectRoots(cwd: string, project: string): readonly string[] {
  const roots = [project];
  for (let at = cwd; within(at, project) && at !== project; at = dirname(at)) roots.push(at);
  return roots;
}

function skillsIn(directory: string): readonly string[] {
  return namesIn(directory).filter((name) => isFile(join(directory, name, "SKILL.md")));
}

/** Where plugins were installed that some settings file has switched on. */
function pluginsOf(user: string, settings: readonly string[]): readonly string[] {
  const installed = fieldsIn(join(user, "plugins", "installed_plugins.json"))["plugins"];
  if (typeof installed !== "object" || installed === null) return [];
  const enabled = settings.map(
    (path) => fieldsIn(path)["enabledPlugins"] as Readonly<Record<string, unknown>> | undefined,
  );
  return Object.entries(installed).flatMap(([id, places]): string[] => {
    if (!enabled.some((plugins) => plugins?.[id] === true)) return [];
    const [place] = (Array.isArray(places) ? places : [places]) as readonly { installPath?: unknown }[];
    return typeof place?.installPath === "string" ? [place.installPath] : [];
  });
}

/** A directory that is not there, or that we may not enter, holds no skill for anybody. */
function namesIn(directory: string): readonly string[] {
  try {
    return statSync(directory, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(directory) : [];
  } catch (error) {
    void error;
    return [];
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    // Below a file, or where we may not look.
    void error;
    return false;
  }
}

/** Somebody else's file: what cannot be read in it switches nothing on. */
function fieldsIn(path: string): Readonly<Record<string, unknown>> {
  if (!isFile(path)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch (error) {
    void error;
    return {};
  }
}
