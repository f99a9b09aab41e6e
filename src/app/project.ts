/** The project that a command works on: its paths, settings and journal. */
import { dirname, join } from "node:path";
import type { Program } from "../hosts/registration.ts";
import type { Arming, Places } from "../kernel/facts.ts";
import { type Language, languageOf } from "../lib/text.ts";
import { lawIds } from "../policies/by-event.ts";
import { keyText } from "../state/person-key.ts";
import type { StartedProgram } from "../state/record.ts";
import type { CheckedSettings } from "../state/settings/settings.ts";
import { readDoor } from "../store/door.ts";
import { openJournal } from "../store/journal/archive.ts";
import { loadSettings } from "../store/settings/settings.ts";
import { readYaml } from "../store/settings/settings-yaml.ts";
import { isFault, type Store, type StoreFault } from "../store/store.ts";
import { placesOf, stateRoot } from "../world/machine/places.ts";
import { host } from "./host.ts";
import { type KeyHere, keyHere } from "./person.ts";
import { Problem } from "./problem.ts";

declare const __VERSION__: string | undefined;
export const VERSION: string = typeof __VERSION__ === "string" ? __VERSION__ : "unbuilt";

export interface Here {
  readonly program: Program;
  readonly places: Places;
  readonly settings: CheckedSettings;
  readonly language: Language;
  readonly store: Store;
  /** The person's key, as the hooks of this project and this user's file name it. */
  readonly key: KeyHere;
  readonly armingOf: (text: string | undefined, pointedTo?: StartedProgram) => Arming;
}

let bundleFile = "";

/** Set once at startup: the file the host would run. */
export function setBundle(bundle: string): void {
  bundleFile = bundle;
}

export function programFiles(): Pick<Program, "node" | "bundle"> {
  return { node: process.execPath, bundle: bundleFile };
}

/** `trace: "none"` is for read-only commands: they write nothing, not even a cache. */
export function here(cwd: string = process.cwd(), trace: "none" | "kept" = "kept"): Here {
  const places = placesOf(host.layout, process.env, cwd, [dirname(bundleFile), process.execPath]);
  const key = keyHere(places.hostSettings);
  const named = key.file && { key: keyText(key.file) };
  const program: Program = { ...programFiles(), door: readDoor(stateRoot(process.env)), ...named };
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
    store: openJournal({ directory: places.journal, key }),
    key,
    armingOf: (text, pointedTo) => host.arming(text, { ...program, ...pointedTo }),
  };
}

/** Returns the value, or throws the store's error message. */
export function orFail<T>(value: T | StoreFault): T {
  if (isFault(value)) throw new Problem(value.fault);
  return value;
}
