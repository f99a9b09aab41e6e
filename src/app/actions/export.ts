/** Writes what is here in the format of another harness. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { inline } from "../../lib/text.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { formatNamed } from "./formats.ts";

export function exportText({ store, settings }: Here, kind: string): string {
  const format = formatNamed(kind);
  return format.write({ state: orFail(store.read()), settings: settings.settings, now: Date.now() });
}

/** Writes to a new file only. */
export function exportTo(file: string, place: Here, kind: string): void {
  const text = exportText(place, kind);
  try {
    writeFileSync(resolve(file), text, { flag: "wx", mode: 0o644 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "it is there already; give another name or remove it" : message;
    throw new Problem(`${inline(file)} was not written: ${why}.`);
  }
}
