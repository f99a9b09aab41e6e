/** The files that the host runs before each command of a session, one of which may be ours. */
import { accessSync, constants, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { plainText } from "../../disk/plain-file.ts";
import { checkPattern } from "../../evidence/checks/tools.ts";
import { changedSince, type Footing, voided } from "../../evidence/ground.ts";
import type { ShellSetupFound } from "../../kernel/facts.ts";
import type { Ground } from "../../state/session/ground.ts";
import type { LookingHost } from "../host.ts";
import { type Finder, fileFooting } from "../machine/footings.ts";
import { configDirectory, type Environment } from "../machine/places.ts";
import { isShaping } from "./shell-ground.ts";

interface SetupLooking {
  readonly env: Environment;
  readonly event: { readonly session: string };
  readonly places: { readonly home: string };
  readonly host: Pick<LookingHost, "shellSetup" | "layout">;
}

/** At the start of a session: the file that we may write, and those we wrote before. Empty if the host offers none. */
export function shellSetup(from: SetupLooking): ShellSetupFound {
  const { host, env } = from;
  const file = host.shellSetup?.fileIn(env);
  const directory = directoryFor(from);
  if (!host.shellSetup || file === undefined || directory === undefined || dirname(file) !== directory) return {};
  const text = host.shellSetup.text(checkPattern());
  const [mark = ""] = text.split("\n");
  const own = namesIn(directory).flatMap((name) => {
    const found = host.shellSetup?.isFile(name) ? plainText(join(directory, name), BYTES_MAX) : undefined;
    return found?.startsWith(mark) ? [{ path: join(directory, name), isSame: found === text }] : [];
  });
  return { file, text, own, isFree: plainText(file, BYTES_MAX) === undefined, works: doesWork(from) };
}

export function doesWork({ host, env }: Pick<SetupLooking, "host" | "env">): boolean {
  return host.shellSetup?.works(env, isProgram) ?? false;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function directoryFor({ host, env, event, places }: SetupLooking): string | undefined {
  if (!host.shellSetup || !/^[\w-]+$/.test(event.session)) return undefined;
  return join(configDirectory(host.layout, env, places.home), host.shellSetup.directory, event.session);
}

const BYTES_MAX = 64 * 1024;
const FILES_MAX = 40;

interface SetupFile {
  readonly footing: Footing;
  /** Undefined if it cannot be read. */
  readonly text: string | undefined;
}

function filesFor(from: SetupLooking, finder: Finder): readonly SetupFile[] {
  const directory = directoryFor(from);
  if (directory === undefined) return [];
  return namesIn(directory)
    .filter((name) => from.host.shellSetup?.isFile(name))
    .slice(0, FILES_MAX)
    .flatMap((name) => {
      const path = join(directory, name);
      const footing = fileFooting(path, finder);
      return footing ? [{ footing, text: plainText(path, BYTES_MAX) }] : [];
    });
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // No hook has written one.
    return [];
  }
}

/**
 * Marks of these files before the first command of the host's process, which no command of that process can have changed.
 * If the session went on from another process, what changed there stays changed.
 */
export function firstSetup(from: SetupLooking, finder: Finder, ground: Ground | undefined): string | undefined {
  if (from.host.shellSetup === undefined || isLaid(ground)) return undefined;
  const known = ground?.setup?.marks;
  const own = from.host.shellSetup.text(checkPattern());
  const isTainted = ({ footing, text }: SetupFile): boolean =>
    known !== undefined &&
    (footing.changedAt ?? 0) <= (ground?.at ?? 0) &&
    changedSince([footing], known, 0).length > 0 &&
    text !== own &&
    !isPlain(text);
  return filesFor(from, finder)
    .map((file) => (isTainted(file) ? voided(file.footing) : file.footing.mark))
    .join("");
}

function isLaid(ground: Ground | undefined): ground is Ground & Required<Pick<Ground, "setup">> {
  return ground?.setup !== undefined && ground.setup.at >= ground.at;
}

/** Files that changed since then, unless they only set variables that no check depends on. */
export function changedSetup(from: SetupLooking, finder: Finder, ground: Ground | undefined): readonly Footing[] {
  if (!isLaid(ground)) return [];
  const files = filesFor(from, finder);
  const changed = changedSince(
    files.map(({ footing }) => footing),
    ground.setup.marks,
    0,
  );
  return files.flatMap(({ footing, text }) => (changed.includes(footing) && !isPlain(text) ? [footing] : []));
}

/** True if our file is in force, and no other one could take it back. */
export function arePipesSetUp(from: SetupLooking, finder: Finder, ground: Ground | undefined): boolean {
  const own = from.host.shellSetup?.text(checkPattern());
  // The start of the session was not seen, so a command may have changed the files before.
  if (!ground) return false;
  const files = filesFor(from, finder);
  const others = files.filter(({ text }) => text !== own);
  if (own === undefined || others.length === files.length || !others.every(({ text }) => isPlain(text))) return false;
  if (others.reduce((chars, { text = "" }) => chars + text.length, 0) > OTHERS_CHARS_MAX) return false;
  const ours = files.filter(({ text }) => text === own).map(({ footing }) => footing);
  return !isLaid(ground) || changedSince(ours, ground.setup.marks, 0).length === 0;
}

const OTHERS_CHARS_MAX = 12_000;
const ASSIGNMENT = /^(?:export +)?([A-Za-z_]\w*)=(?:[\w@%+=:,./-]|'[^']*'|"(?:[^"\\$`]|\\.)*")*$/;

/** Only comments, and assignments of fixed values to variables that shape no shell and no runtime. */
function isPlain(text: string | undefined): boolean {
  return (
    text?.split("\n").every((line) => {
      const [, name] = ASSIGNMENT.exec(line.trim()) ?? [];
      return /^\s*(?:#.*)?$/.test(line) || (name !== undefined && !isShaping(name));
    }) ?? false
  );
}
