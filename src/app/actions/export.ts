/** Writes what is here in the format of another harness. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { inline } from "../../lib/text.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { stateHere } from "../queries/state-file.ts";
import { formatNamed } from "./formats.ts";

export function exportText(place: Here, kind: string): string {
  const { store, settings } = place;
  const view = (): string => stateHere(place).text;
  const ground = { state: orFail(store.read()), settings: settings.settings, now: Date.now(), view };
  return formatNamed(kind).write(ground);
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
