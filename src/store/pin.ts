/** What a session began with: its project, which nothing moves later, and what its client was started with. */
import {
  constants,
  linkSync,
  mkdirSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { utf8 } from "../kernel/bytes.ts";
import { discard } from "./discard.ts";
import { withFile } from "./file.ts";

const AGE_MS_MAX = 30 * 86_400_000;
const BYTES_MAX = 16 * 1024;

export interface Pin {
  /** The project's root as it was when the session was first seen: neither `cd` nor a rewritten `.git` moves it. */
  readonly project: string;
  /** What the gatehouse needs to know of the client's environment and is not told by the client. */
  readonly env: Readonly<Record<string, string>>;
  /** The program as it stands in this client's hooks: the gatehouse may have been started from another place. */
  readonly program?: { readonly node: string; readonly bundle: string };
}

export function readPin(directory: string, session: string): Pin | undefined {
  try {
    const text = withFile(`${directory}/${session}`, constants.O_RDONLY, (fd) => {
      const bytes = Buffer.allocUnsafe(BYTES_MAX);
      return utf8(bytes, 0, readSync(fd, bytes, 0, bytes.length, null));
    });
    // An earlier version kept the root alone.
    return text.startsWith("/") ? { project: text, env: {} } : pinIn(JSON.parse(text));
  } catch (error) {
    // Without a pin the project is found anew, as for a session that was never seen.
    void error;
    return undefined;
  }
}

/** Another one whenever the pin is another one; empty when there is none. */
export function pinStamp(directory: string, session: string): string {
  try {
    const stat = statSync(`${directory}/${session}`, { throwIfNoEntry: false });
    return stat ? `${stat.ino} ${stat.ctimeMs} ${stat.size}` : "";
  } catch (error) {
    // As `readPin` has it: what cannot be read is not there.
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

/** The first wins. A pin that cannot be written is tried again at the next event. */
export function writePin(directory: string, session: string, pin: Pin, now: number): void {
  place(directory, session, pin, (temporary, path) => {
    // A link is made whole or not at all, and not over one that is there.
    linkSync(temporary, path);
    removeOld(directory, now);
  });
}

/** A session that goes on under another client keeps its project and takes on the new surroundings. */
export function renewPin(directory: string, session: string, pin: Pin): void {
  place(directory, session, pin, renameSync);
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

/** However many sessions somebody makes up, the next one does not wait for all of them to be looked at. */
const LOOKED_AT_MAX = 200;

function removeOld(directory: string, now: number): void {
  for (const name of readdirSync(directory).slice(0, LOOKED_AT_MAX)) {
    const path = join(directory, name);
    if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > AGE_MS_MAX) unlinkSync(path);
  }
}

/** Of a project that was made for a trial and is gone. */
export function dropPins(directory: string, project: string): void {
  try {
    for (const name of readdirSync(directory))
      if (readPin(directory, name)?.project === project) discard(join(directory, name));
  } catch (error) {
    // No sessions at all, then.
    void error;
  }
}
