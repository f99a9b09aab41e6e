/** Files and variables that shape every shell: start files, the host's shell files, the environment. */
import { basename } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import { changedSince, type Footing, marksOf, unknownTo } from "../../evidence/ground.ts";
import { isDefinedIn, isHarmless } from "../../evidence/shell-file.ts";
import type { Places } from "../../kernel/facts.ts";
import type { Ground } from "../../state/session/ground.ts";
import type { LookingHost } from "../host.ts";
import { changedFilesIn, type Finder, fileFooting, textFooting } from "../machine/footings.ts";
import { readableHostFile } from "../machine/host-file.ts";
import { configDirectory, type Environment } from "../machine/places.ts";

const IN_HOME =
  ".bashrc .bash_profile .bash_login .bash_aliases .profile .zshenv .zprofile .zshrc .zlogin .kshrc .mkshrc .pam_environment".split(
    " ",
  );
const OF_ALL = "/etc/profile /etc/bash.bashrc /etc/bashrc /etc/zshenv /etc/zsh/zshenv /etc/environment".split(" ");

/** Variables by which a shell, a loader or a runtime runs something else than its command line says. */
const SHAPING =
  /^(?:PATH|BASH_ENV|ENV|ZDOTDIR|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_.*|NODE_(?:OPTIONS|PATH)|PYTHON(?:PATH|HOME|STARTUP)|PYTEST_(?:ADDOPTS|PLUGINS)|RUBY(?:OPT|LIB)|PERL5(?:OPT|LIB)|GOFLAGS|RUSTC(?:_WRAPPER)?|RUSTFLAGS|MAKEFLAGS|JAVA_TOOL_OPTIONS|npm_config_(?:script_shell|node_options|ignore_scripts))$/i;

export function isShaping(name: string): boolean {
  return SHAPING.test(name);
}

export interface ShellLooking {
  readonly env: Environment;
  /** The environment is the one of the session's start, because the event came without one. */
  readonly isEnvPinned?: boolean;
  readonly places: Pick<Places, "home" | "hostSettings">;
  readonly host: LookingHost;
}

export function shellFootings({ env, isEnvPinned, places, host }: ShellLooking, finder: Finder): readonly Footing[] {
  const files = startFiles({ env, places }).flatMap((path) => fileFooting(path, finder) ?? []);
  const more = host.shellSetup?.variables ?? [];
  const own = isEnvPinned ? [] : shaping(env, more).map(([name, value]) => textFooting(name, value, finder));
  const set = places.hostSettings.flatMap((path) => {
    const variables = shaping(host.variablesIn?.(readableHostFile(path) ?? "") ?? {}, more);
    return variables.map(([name, value]) => textFooting(`${name} (${basename(path)})`, `${path} ${value}`, finder));
  });
  return [...files, ...own, ...set];
}

function startFiles({ env, places }: Pick<ShellLooking, "env" | "places">): readonly string[] {
  const named = [env["BASH_ENV"], env["ENV"], env["ZDOTDIR"] && `${env["ZDOTDIR"]}/.zshenv`];
  return [
    ...IN_HOME.map((name) => `${places.home}/${name}`),
    ...OF_ALL,
    ...named.flatMap((path) => (path?.startsWith("/") ? [path] : [])),
  ];
}

function shaping(
  variables: Readonly<Record<string, string | undefined>>,
  more: readonly string[],
): readonly (readonly [string, string])[] {
  return Object.entries(variables).flatMap(([name, value = ""]) =>
    isShaping(name) || more.includes(name) ? [[name, value] as const] : [],
  );
}

const FILES_MAX = 40;
const BYTES_MAX = 256 * 1024;

interface HostShellFiles {
  readonly all: readonly Footing[];
  /** Known ones that changed. */
  readonly changed: readonly Footing[];
  /** New ones that define a name the checks use, or do something else. */
  readonly strange: readonly Footing[];
  /** Marks of new ones that do no harm. */
  readonly fresh: string;
}

/** The shell files that the host made since the session began: new ones are read, known ones only compared. */
export function hostShellFiles(
  from: ShellLooking,
  finder: Finder,
  known: Pick<Ground, "at" | "shell">,
  programs: readonly Footing[],
): HostShellFiles {
  const { env, host, places } = from;
  const directory = `${configDirectory(host.layout, env, places.home)}/${host.shellFiles}`;
  const found = changedFilesIn(directory, known.at, FILES_MAX + 1).flatMap((path) => {
    const footing = fileFooting(path, finder);
    return footing ? [{ path, footing }] : [];
  });
  const all = found.map(({ footing }) => footing);
  // So many files hide the one that counts.
  if (all.length > FILES_MAX) return { all, changed: all.slice(0, 1), strange: [], fresh: "" };
  const strange = unknownTo(known.shell, all);
  const texts = strange.length === 0 ? [] : startFiles(from).flatMap((path) => plainText(path, BYTES_MAX) ?? []);
  const used = new Set(programs.map(({ name }) => basename(name)));
  const isUsed = (name: string): boolean =>
    used.has(name) && !(host.shellFunctions ?? []).includes(name) && !texts.some((text) => isDefinedIn(text, name));
  const bad = found.filter(({ path, footing }) => {
    const text = strange.includes(footing) ? plainText(path, BYTES_MAX) : "";
    const foreign = /zsh/.test(basename(path));
    return text === undefined || !isHarmless({ text, foreign, path: env["PATH"], isUsed });
  });
  const unread = bad.map(({ footing }) => footing);
  return {
    all,
    changed: changedSince(
      all.filter((one) => !strange.includes(one)),
      known.shell,
      known.at,
    ),
    strange: unread,
    fresh: marksOf(strange.filter((one) => !unread.includes(one))),
  };
}
