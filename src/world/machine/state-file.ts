/** Writes the state file of a work tree, and keeps it out of git. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { plainText, readPlain } from "../../disk/plain-file.ts";
import { STATE_FILE, STATE_MARK } from "../../playbook/state-file.ts";
import { workTreeOf } from "./work-tree.ts";

const BYTES_MAX = 1024 * 1024;
const EXCLUDED = "# Sekisho: a view of the state of this machine\n/state.md\n";

/** Whether it may be written: nothing of that name is there, or an older view of ours. */
export function isToWrite(root: string, text: string): boolean {
  const file = readPlain(join(root, STATE_FILE), BYTES_MAX);
  if (!file) return true;
  // Somebody's own file of that name is left alone.
  const known = "bytes" in file ? file.bytes.toString("utf8") : "";
  return known.startsWith(STATE_MARK) && known !== text;
}

/** Renamed into place, so that a link of that name is replaced and never followed. */
export function writeStateFile(root: string, text: string): void {
  const file = join(root, STATE_FILE);
  if (!existsSync(file)) hideFromGit(root);
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) return;
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: 0o444 });
    chmodSync(temporary, 0o444);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A tracked `.gitignore` is not ours to change. */
function hideFromGit(root: string): void {
  const common = workTreeOf(root)?.common;
  if (common === undefined) return;
  const list = join(common, "info/exclude");
  const known = existsSync(list) ? plainText(list, BYTES_MAX) : "";
  if (known === undefined || /^\/state\.md$/m.test(known)) return;
  mkdirSync(dirname(list), { recursive: true });
  appendFileSync(list, `${known === "" || known.endsWith("\n") ? "" : "\n"}${EXCLUDED}`);
}
