/** Which skills and agents Claude Code would find: of the person, of the project, and of plugins that are switched on. */

import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import { within } from "../../lib/paths.ts";
import type { Looking } from "../../world/host.ts";
import { configDirectory, trueName } from "../../world/machine/places.ts";
import { layout } from "./layout.ts";

/** Limit per directory; further entries are ignored. */
const NAMES_MAX = 200;

/** Directory names are untrusted, so only plain names are accepted. */
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** `.claude/skills/NAME/SKILL.md`; the directory name is the skill's name. */
export function skillsOf(from: Looking): readonly string[] {
  return namesIn(from, "skills", (directory, entry) => (isFile(`${directory}/${entry}/SKILL.md`) ? entry : undefined));
}

/** `.claude/agents/NAME.md`. */
export function agentsOf(from: Looking): readonly string[] {
  return namesIn(from, "agents", (directory, entry) =>
    entry.endsWith(".md") && isFile(`${directory}/${entry}`) ? entry.slice(0, -".md".length) : undefined,
  );
}

type NameOf = (directory: string, entry: string) => string | undefined;

function namesIn(from: Looking, kind: string, nameOf: NameOf): readonly string[] {
  const found = ({ root, prefix }: Source): readonly string[] =>
    entriesOf(`${root}/${kind}`).flatMap((entry) => {
      const name = NAME.test(entry) ? nameOf(`${root}/${kind}`, entry) : undefined;
      return name === undefined || name === "" ? [] : [`${prefix}${name}`];
    });
  return [...new Set(sourcesOf(from).flatMap(found))];
}

/** A directory to search, and the prefix the host gives to names found there. */
interface Source {
  readonly root: string;
  readonly prefix: string;
}

function sourcesOf(from: Looking): readonly Source[] {
  const { env, places } = from;
  const user = configDirectory(layout, env, places.home);
  const roots = [user, ...projectRoots(from).map((path) => `${path}/${layout.directory}`)];
  const own = ownPlugin(from);
  return [
    ...[...new Set(roots)].map((root) => ({ root, prefix: "" })),
    ...(own === undefined ? [] : [{ root: own, prefix: "sekisho:" }]),
    ...pluginsOf(user, places.hostSettings),
  ];
}

/** The host looks in its working directory and in those above it, up to the project's root. */
function projectRoots({ env, places, event }: Looking): readonly string[] {
  const session = env[layout.variables.project];
  const roots = [places.project, ...(session?.startsWith("/") ? [session] : [])];
  for (let at = event.cwd; within(at, places.project) && at !== places.project; at = dirname(at)) roots.push(at);
  return roots;
}

/** The host sets this to the directory of the plugin whose hook it starts: ours if it contains the running program. */
function ownPlugin({ env, places }: Looking): string | undefined {
  const root = env[layout.variables.plugin];
  return root?.startsWith("/") && places.installed.includes(trueName(root)) ? root : undefined;
}

/** The directories of installed plugins that a settings file enables: `name@marketplace`. */
function pluginsOf(user: string, settings: readonly string[]): readonly Source[] {
  const installed = fieldsIn(join(user, "plugins", "installed_plugins.json"))["plugins"];
  if (typeof installed !== "object" || installed === null) return [];
  const enabled = settings.map(
    (path) => fieldsIn(path)["enabledPlugins"] as Readonly<Record<string, unknown>> | undefined,
  );
  return Object.entries(installed).flatMap(([id, places]): Source[] => {
    if (!enabled.some((plugins) => plugins?.[id] === true)) return [];
    const [place] = (Array.isArray(places) ? places : [places]) as readonly { installPath?: unknown }[];
    return typeof place?.installPath === "string" ? [{ root: place.installPath, prefix: `${id.split("@")[0]}:` }] : [];
  });
}

/** Sorted, so that the limit always cuts the same entries. */
function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort().slice(0, NAMES_MAX);
  } catch (error) {
    // Missing, not a directory or unreadable: it holds no usable skill.
    void error;
    return [];
  }
}

/** Follows links, as the host does; a pipe is not a file. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    void error;
    return false;
  }
}

const BYTES_MAX = 4 * 1024 * 1024;

/** A file of the host's: unreadable content enables nothing. */
function fieldsIn(path: string): Readonly<Record<string, unknown>> {
  const text = plainText(path, BYTES_MAX);
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch (error) {
    void error;
    return {};
  }
}
