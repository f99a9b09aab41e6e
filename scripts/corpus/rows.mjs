/** The rows beside the project (../shared/corpus), of which a third is held out. They are not part of the project. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const corpus = join(root, "..", "shared", "corpus");

export const hasRows = existsSync(corpus);

/** Undefined if the file does not exist. */
export function rowsOf(file) {
  const path = join(corpus, file);
  if (!existsSync(path)) return undefined;
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}

export function hashOf(text) {
  return createHash("sha256").update(text).digest("hex");
}

/** Rows of one session stay together, because they resemble each other. */
export function isHeldOut({ session, command, prompt }) {
  return Number.parseInt(hashOf(session ?? command ?? prompt).slice(0, 8), 16) % 3 === 0;
}
