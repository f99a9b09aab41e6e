/** The project a command is about: where it is, its settings, its journal. */
import { dirname, join } from "node:path";
import { arming } from "../hosts/claude-code/arming.ts";
import type { Program } from "../hosts/claude-code/hooks.ts";
import type { Arming, Places } from "../kernel/facts.ts";
import { type Language, languageOf } from "../kernel/text.ts";
import { policies } from "../policies/index.ts";
import type { StartedProgram } from "../state/record.ts";
import type { CheckedSettings } from "../state/settings.ts";
import { openJournal } from "../store/archive.ts";
import { readDoor } from "../store/door.ts";
import { loadSettings } from "../store/settings.ts";
import { readYaml } from "../store/settings-yaml.ts";
import { isFault, type Store, type StoreFault } from "../store/store.ts";
import { placesOf, stateRoot } from "../world/places.ts";
import { CommandError } from "./print.ts";

declare const __VERSION__: string;
export const VERSION = __VERSION__;

export interface Here {
  readonly program: Program;
  readonly places: Places;
  readonly settings: CheckedSettings;
  readonly language: Language;
  readonly store: Store;
  readonly armingOf: (text: string | undefined, pointedTo?: StartedProgram) => Arming;
}

let bundleFile = "";

/** Told once at the start: the file the client would run. */
export function setBundle(bundle: string): void {
  bundleFile = bundle;
}

export function programFiles(): Pick<Program, "node" | "bundle"> {
  return { node: process.execPath, bundle: bundleFile };
}

/** `trace: "none"` is for commands that only think: they write nothing, not even a cache. */
export function here(cwd: string = process.cwd(), trace: "none" | "kept" = "kept"): Here {
  const program: Program = { ...programFiles(), door: readDoor(stateRoot(process.env)) };
  const places = placesOf(process.env, cwd, [dirname(bundleFile), process.execPath]);
  const settings = loadSettings({
    files: places.settingsFiles,
    ...(trace === "kept" && { cache: join(places.journal, "settings.json") }),
    program: VERSION,
    ...lawIds(),
    loadReader: () => readYaml,
  });
  return {
    program,
    places,
    settings,
    language: languageOf(settings.settings.language, process.env),
    store: openJournal({ directory: places.journal }),
    armingOf: (text, pointedTo) => arming(text, { ...program, ...pointedTo }),
  };
}

/** What settings are checked against. */
export function lawIds(): { readonly policyIds: readonly string[]; readonly floorIds: readonly string[] } {
  return {
    policyIds: policies.map(({ id }) => id),
    floorIds: policies.filter(({ floor }) => floor).map(({ id }) => id),
  };
}

/** A value, or the store's own words about why there is none. */
export function orFail<T>(value: T | StoreFault): T {
  if (isFault(value)) throw new CommandError(value.fault);
  return value;
}
