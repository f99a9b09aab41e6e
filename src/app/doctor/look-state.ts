/** Checks where the journal is stored: file system, permissions, disk space and clock. */
import { chmodSync, existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { sharedFileSystem } from "../../store/journal/file-system.ts";
import { isFault } from "../../store/store.ts";
import { isoTime } from "../../views/time.ts";
import { type Check, ok } from "./check.ts";

export const stateDirectory: Check = {
  id: "state-directory",
  title: "State directory",
  look({ places, diskOf }) {
    const shared = sharedFileSystem(diskOf(existing(places.state)).type);
    if (shared !== undefined) {
      return {
        state: "fail",
        what: `${places.state} is on a shared file system (${shared})`,
        why: "Two machines that append there can overwrite each other's records, so nothing is kept, and changes are blocked.",
        fix: "Name a local directory with XDG_STATE_HOME in the environment that Claude Code is started from.",
      };
    }
    const open = openToOthers(places.state);
    if (open.length === 0) return ok(places.state);
    return {
      state: "warn",
      what: `open to other users: ${open.slice(0, 3).join(", ")}${open.length > 3 ? ` and ${open.length - 3} more` : ""}`,
      why: "The journal tells what was done here, and whoever can write to it can change what is remembered.",
      fix: `chmod -R go= ${places.state}`,
      repair: () => {
        for (const path of open) chmodSync(path, lstatSync(path).mode & 0o700);
        return `${open.length} file(s) and directories are yours alone again`;
      },
    };
  },
};

/** Links are skipped: their mode means nothing, and their targets are not ours. */
function openToOthers(directory: string): readonly string[] {
  if (process.platform === "win32" || !existsSync(directory)) return [];
  const below = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  return [directory, ...below].filter(
    (path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
}

/** The nearest existing parent directory, which is on the disk where the path will be created. */
function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path));
}

const MEGABYTE = 1024 * 1024;
const FREE_FAIL = 8 * MEGABYTE;
const FREE_WARN = 200 * MEGABYTE;
const FILES_FAIL = 20;

export const disk: Check = {
  id: "disk",
  title: "Disk",
  look({ places, diskOf }) {
    const { freeBytes, freeFiles } = diskOf(existing(places.state));
    const megabytes = Math.floor(freeBytes / MEGABYTE);
    const isOut = freeBytes < FREE_FAIL || (freeFiles !== undefined && freeFiles < FILES_FAIL);
    if (!isOut && freeBytes >= FREE_WARN) return ok(`${freeText(freeBytes)} free`);
    return {
      state: isOut ? "fail" : "warn",
      what: `${megabytes} MB free${freeFiles === undefined ? "" : `, room for ${freeFiles} more files`} at ${places.state}`,
      why: "A verdict that cannot be kept is not given: when the disk is full, changes are blocked.",
      fix: "Free some space. `sekisho audit prune` gives up old parts of the journal.",
    };
  },
};

function freeText(bytes: number): string {
  return bytes >= 1024 * MEGABYTE
    ? `${Math.floor(bytes / (1024 * MEGABYTE))} GB`
    : `${Math.floor(bytes / MEGABYTE)} MB`;
}

/** The clocks of two processes differ by less than this. */
const DRIFT_MS = 60_000;
/** No version of this program existed before this date. */
const EARLIEST = Date.UTC(2026, 0, 1);

export const clock: Check = {
  id: "clock",
  title: "Clock",
  look({ now, store }) {
    const state = store.read();
    const newest = isFault(state) ? 0 : state.t;
    if (now >= EARLIEST && newest - now <= DRIFT_MS) return ok(isoTime(now));
    const what =
      now < EARLIEST
        ? `the clock says ${isoTime(now)}, before this program existed`
        : `the newest record is from ${isoTime(newest)}, and the clock says ${isoTime(now)}`;
    return {
      state: "warn",
      what: `${what}: it was set back, or was wrong before`,
      why: "Order does not suffer, the journal keeps its own; but ages, retention and what lapses after a time are wrong.",
      fix: "Set the clock (NTP). Ages come right once it has passed the newest record.",
    };
  },
};

export const journal: Check = {
  id: "journal",
  title: "Journal",
  look({ store, places, wants }) {
    const state = store.read();
    if (isFault(state)) return { ...UNUSABLE, what: state.fault };
    const count = Object.values(state.verdicts).reduce((sum, verdicts) => sum + verdicts, 0);
    const told = `${count} verdict(s), ${state.faults} fault(s) in ${places.journal}`;
    if (!wants.integrity) return ok(told);
    const report = store.verify();
    if (isFault(report)) return { ...UNUSABLE, what: report.fault };
    if (report.integrity === "intact") return ok(`intact, ${told}`);
    const flaw = report.segments.find(({ integrity }) => integrity === report.integrity);
    return {
      state: "fail",
      what: `${report.integrity}: segment ${flaw?.segment ?? "?"}: ${flaw?.detail ?? ""}`,
      why: "What is remembered is not what was written. `damaged` may be a writer that was killed; the rest is not chance.",
      fix: "`sekisho audit verify` tells each segment. Compare the head of the seals with a copy kept elsewhere.",
    };
  },
};

const UNUSABLE = {
  state: "fail",
  why: "Nothing can be remembered, so whatever could change something is blocked.",
  fix: "Do as the message says; `sekisho doctor` again tells whether it helped.",
} as const;
