/** Which skills and agents the client would find: of the person, of the project, and of plugins that are switched on. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Places } from "../kernel/facts.ts";
import { within } from "../kernel/paths.ts";
import { type Environment, hostDirectory, trueName } from "./places.ts";

interface Looking {
  readonly env: Environment;
  readonly places: Pick<Places, "project" | "home" | "installed" | "hostSettings">;
  readonly event: { readonly cwd: string };
}

/** Of one directory; more than anybody can choose from, and what is beyond is not looked at. */
const NAMES_MAX = 200;

/** Names come from directories that anybody may have made: what is not plainly a name is none. */
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** `.claude/skills/NAME/SKILL.md`. The directory's name is what a skill is called by. */
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

/** Where to look, and what the client puts before the names from there. */
interface Source {
  readonly root: string;
  readonly prefix: string;
}

function sourcesOf(from: Looking): readonly Source[] {
  const { env, places } = from;
  const user = hostDirectory(env, places.home);
  const roots = [user, ...projectRoots(from).map((path) => `${path}/.claude`)];
  const own = ownPlugin(from);
  return [
    ...[...new Set(roots)].map((root) => ({ root, prefix: "" })),
    ...(own === undefined ? [] : [{ root: own, prefix: "sekisho:" }]),
    ...pluginsOf(user, places.hostSettings),
  ];
}

/** The client looks in the directory it stands in and in those above, up to the project's root. */
function projectRoots({ env, places, event }: Looking): readonly string[] {
  const { CLAUDE_PROJECT_DIR: session } = env;
  const roots = [places.project, ...(session?.startsWith("/") ? [session] : [])];
  for (let at = event.cwd; within(at, places.project) && at !== places.project; at = dirname(at)) roots.push(at);
  return roots;
}

/** The client names the directory of the plugin whose hook it starts: ours, if the program that runs lies in it. */
function ownPlugin({ env, places }: Looking): string | undefined {
  const root = env["CLAUDE_PLUGIN_ROOT"];
  return root?.startsWith("/") && places.installed.includes(trueName(root)) ? root : undefined;
}

/** Where plugins were installed that some settings file has switched on: `name@marketplace`. */
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

/** In one order whatever the disk says, so that a limit cuts the same ones every time. */
function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort().slice(0, NAMES_MAX);
  } catch (error) {
    // Missing, not a directory, not ours to read: no skill can be taken up from it.
    void error;
    return [];
  }
}

/** Through links, as the client goes; a pipe of that name is no file. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
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
