/** Which skills and agents the client would find: of the person, of the project, and of our own plugin. */
import { readdirSync, statSync } from "node:fs";
import type { Places } from "../kernel/facts.ts";
import { type Environment, trueName } from "./places.ts";

interface Looking {
  readonly env: Environment;
  readonly places: Pick<Places, "project" | "home" | "installed">;
}

/** As the client calls its plugins' things. */
const OURS = "sekisho:";

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
  const found = (root: string, prefix = ""): readonly string[] =>
    entriesOf(`${root}/${kind}`).flatMap((entry) => {
      const name = NAME.test(entry) ? nameOf(`${root}/${kind}`, entry) : undefined;
      return name === undefined || name === "" ? [] : [`${prefix}${name}`];
    });
  const plugin = ownPlugin(from);
  const names = [
    ...clientDirectories(from).flatMap((root) => found(root)),
    ...(plugin === undefined ? [] : found(plugin, OURS)),
  ];
  return [...new Set(names)];
}

function clientDirectories({ env, places }: Looking): readonly string[] {
  const { CLAUDE_CONFIG_DIR: own, CLAUDE_PROJECT_DIR: session } = env;
  const projects = [places.project, ...(session?.startsWith("/") ? [session] : [])];
  return [...new Set([own || `${places.home}/.claude`, ...projects.map((path) => `${path}/.claude`)])];
}

/** The client names the directory of the plugin whose hook it starts: ours, if the program that runs lies in it. */
function ownPlugin({ env, places }: Looking): string | undefined {
  const root = env["CLAUDE_PLUGIN_ROOT"];
  return root?.startsWith("/") && places.installed.includes(trueName(root)) ? root : undefined;
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
