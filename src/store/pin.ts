/** Pins what a session began with: its project, which never changes, and its host's environment. */
import {
  constants,
  linkSync,
  mkdirSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { utf8 } from "../lib/bytes.ts";
import { discard } from "./journal/discard.ts";
import { withFile } from "./journal/file.ts";

const DAY_MS = 86_400_000;
/** A file that was not renewed for so long is removed: sooner when there are many. */
const AGE_MS_MAX = 30 * DAY_MS;
const CROWDED_AGE_MS_MAX = 7 * DAY_MS;
const KEPT_MAX = 500;
const BYTES_MAX = 16 * 1024;

export interface Pin {
  /** The project's root when the session was first seen; neither `cd` nor a rewritten `.git` changes it. */
  readonly project: string;
  /** The parts of the host's environment that the daemon needs and that the host does not send. */
  readonly env: Readonly<Record<string, string>>;
  /** The program in this host's hooks; the daemon may have been started from another place. */
  readonly program?: { readonly node: string; readonly bundle: string };
}

export function readPin(directory: string, session: string): Pin | undefined {
  try {
    const text = withFile(`${directory}/${session}`, constants.O_RDONLY, (fd) => {
      const bytes = Buffer.allocUnsafe(BYTES_MAX);
      return utf8(bytes, 0, readSync(fd, bytes, 0, bytes.length, null));
    });
    // An earlier version stored only the root.
    return text.startsWith("/") ? { project: text, env: {} } : pinIn(JSON.parse(text));
  } catch (error) {
    // Without a pin the project is looked up again, as for a new session.
    void error;
    return undefined;
  }
}

/** Changes whenever the pin changes; empty when there is none. */
export function pinStamp(directory: string, session: string): string {
  try {
    const stat = statSync(`${directory}/${session}`, { throwIfNoEntry: false });
    return stat ? `${stat.ino} ${stat.ctimeMs} ${stat.size}` : "";
  } catch (error) {
    // As in `readPin`: an unreadable pin counts as missing.
    void error;
    return "";
  }
}

function pinIn(value: unknown): Pin | undefined {
  const { project, env, program } = (value ?? {}) as Partial<Record<keyof Pin, unknown>>;
  if (typeof project !== "string" || !project.startsWith("/")) return undefined;
  const known = Object.entries(typeof env === "object" && env !== null ? env : {});
  const { node, bundle } = (program ?? {}) as { readonly node?: unknown; readonly bundle?: unknown };
  return {
    project,
    env: Object.fromEntries(known.filter(([, text]) => typeof text === "string")),
    ...(typeof node === "string" && typeof bundle === "string" && { program: { node, bundle } }),
  };
}

/** The first pin is kept. A pin that cannot be written is tried again at the next event. */
export function writePin(directory: string, session: string, pin: Pin, now: number): void {
  place(directory, session, pin, (temporary, path) => {
    // A link is created atomically and never replaces an existing file.
    linkSync(temporary, path);
    removeOld(directory, now);
  });
}

/** A session that continues under another host process keeps its project and gets the new environment. */
export function renewPin(directory: string, session: string, pin: Pin): void {
  place(directory, session, pin, renameSync);
}

/** A person still speaks to this session, so its pin counts as new. */
export function freshenPin(directory: string, session: string, now: number): void {
  const path = join(directory, session);
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && now - stat.mtimeMs > DAY_MS) utimesSync(path, now / 1000, now / 1000);
  } catch (error) {
    // The next prompt tries again.
    void error;
  }
}

function place(directory: string, session: string, pin: Pin, put: (temporary: string, path: string) => void): void {
  const temporary = join(directory, `.${session}.${process.pid}.tmp`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify(pin), { flag: "wx", mode: 0o600 });
    put(temporary, join(directory, session));
  } catch (error) {
    void error;
  } finally {
    discard(temporary);
  }
}

/** Limits the work per event, however many sessions there are. */
const LOOKED_AT_MAX = 200;

/**
 * Looks at some of the files, beginning at another place each time, so that all are reached in the end. Above the
 * number to keep, a file needs to be only a week old: a session that is younger may still run and must keep its project.
 */
function removeOld(directory: string, now: number): void {
  const names = readdirSync(directory);
  const ageMax = names.length > KEPT_MAX ? CROWDED_AGE_MS_MAX : AGE_MS_MAX;
  const from = Math.max(0, Math.floor(Math.random() * (names.length - LOOKED_AT_MAX + 1)));
  for (const name of names.slice(from, from + LOOKED_AT_MAX)) {
    const path = join(directory, name);
    if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > ageMax) unlinkSync(path);
  }
}

/** Removes the pins of a trial project that is gone. */
export function dropPins(directory: string, project: string): void {
  try {
    for (const name of readdirSync(directory))
      if (readPin(directory, name)?.project === project) discard(join(directory, name));
  } catch (error) {
    // There are no sessions.
    void error;
  }
}
