/** The reader of settings files. Loaded only when one has changed: YAML is too heavy for every event. */
import { load, YAMLException } from "js-yaml";
import type { ReadLayer } from "./settings.ts";
import { lineOf } from "./settings-text.ts";

export const readYaml: ReadLayer = (text) => {
  // A file of nothing but comments says nothing, and that is no mistake.
  if (text.split("\n").every((line) => /^\s*(?:#.*)?$/.test(line))) return { layer: {} };
  try {
    return { layer: load(text) ?? {}, lineOf: (key, entry) => lineOf(text, key, entry) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark?.line;
    if (line === undefined) return { problem: error.reason };
    return { problem: `${error.reason} (line ${line + 1})`, line: line + 1 };
  }
};
