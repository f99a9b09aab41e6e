/** The settings files, compiled to JSON once, so that the hook path reads YAML only when a file has changed. */

import { mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { plainText, readPlain } from "../../disk/plain-file.ts";
import { mask, maskText } from "../../lib/secrets.ts";
import { checkSettings } from "../../state/settings/setting-rules.ts";
import {
  type CheckedSettings,
  defaultSettings,
  type SettingsProblem,
  WHOLE_FILE,
} from "../../state/settings/settings.ts";
import { discard } from "../journal/discard.ts";

/** A settings file: its text and its last readable content. */
interface Source {
  readonly path: string;
  readonly text: string;
  readonly layer: unknown;
}

interface Compiled extends CheckedSettings {
  readonly program: string;
  readonly policyIds: readonly string[];
  readonly sources: readonly Source[];
}

/** Parses the text of a file; a problem has its line. Separate because the YAML reader is slow to load. */
export type ReadLayer = (text: string) => Layer | { readonly problem: string; readonly line?: number };

interface Layer {
  readonly layer: unknown;
  /** The line of a key, counted from 1; with a number, the line of that list entry. */
  readonly lineOf?: (key: string, entry?: number) => number | undefined;
}

export interface SettingsRequest {
  /** Weakest first: the user's, the project's shared and the project's local file. */
  readonly files: readonly string[];
  /** Where the compiled settings are stored; omitted by callers that must not write. */
  readonly cache?: string;
  /** Version of the program; another version compiles again. */
  readonly program: string;
  readonly policyIds: readonly string[];
  readonly floorIds: readonly string[];
  readonly loadReader: () => ReadLayer;
}

/** More than a person writes by hand; a larger file is rejected unread. */
const SETTINGS_BYTES_MAX = 256 * 1024;

export function loadSettings(request: SettingsRequest): CheckedSettings {
  const texts = request.files.flatMap((path) => read(path) ?? []);
  if (texts.length === 0) return { settings: defaultSettings, problems: [], custom: [] };
  const cached = request.cache === undefined ? undefined : readCache(request.cache);
  if (cached && isCurrent(cached, texts, request)) return cached;
  const compiled = compile(texts, cached, request);
  if (request.cache !== undefined) keep(request.cache, compiled, cached);
  return compiled;
}

/** A file with a secret is kept masked: that is no current cache, but it still tells what the file last said. */
function keep(path: string, compiled: Compiled, before: Compiled | undefined): void {
  const texts = compiled.sources.map(({ text }) => maskText(text));
  if (texts.every((text, at) => text === compiled.sources[at]?.text)) {
    writeCache(path, compiled);
    return;
  }
  if (before?.program === compiled.program && before.sources.map(({ text }) => text).join() === texts.join()) return;
  const sources = compiled.sources.map((source, at) => ({
    path: source.path,
    text: texts[at] ?? "",
    layer: mask(source.layer),
  }));
  writeCache(path, { ...compiled, settings: defaultSettings, problems: [], custom: [], sources });
}

/**
 * An unreadable file counts as its last readable content, so that a mistake never loosens anything. Without earlier
 * content the defaults apply.
 */
function compile(
  texts: readonly Found[],
  before: Compiled | undefined,
  { program, policyIds, floorIds, loadReader }: SettingsRequest,
): Compiled {
  const readLayer = loadReader();
  const broken: SettingsProblem[] = [];
  const lines = new Map<string, Layer["lineOf"]>();
  const sources = texts.map(({ path, text, problem }): Source => {
    const result: ReturnType<ReadLayer> = problem === undefined ? layerIn(text, readLayer) : { problem };
    if ("layer" in result) {
      lines.set(path, result.lineOf);
      return { path, text, layer: result.layer };
    }
    const last = before?.sources.find((source) => source.path === path);
    const stands = last ? "what it last said still holds" : "the defaults stand";
    const line = result.line !== undefined && { line: result.line };
    broken.push({ key: WHOLE_FILE, file: path, message: `cannot be read: ${result.problem}; ${stands}`, ...line });
    return { path, text, layer: last?.layer };
  });
  const checked = checkSettings(
    sources.map(({ layer }) => layer),
    policyIds,
    floorIds,
    sources.map(({ path }) => path),
  );
  // The last readable content has no line numbers, and its problems were reported when it was read.
  const problems = checked.problems
    .filter(({ file }) => !broken.some((one) => one.file === file))
    .map((problem) => withLine(problem, lines.get(problem.file ?? "")));
  return { ...checked, problems: [...broken, ...problems], program, policyIds, sources };
}

export function withLine(problem: SettingsProblem, lineOf: Layer["lineOf"]): SettingsProblem {
  const line = lineOf?.(problem.key, problem.entry);
  return line === undefined ? problem : { ...problem, line };
}

/** The text as a settings layer, or the problem with it. */
export function layerIn(text: string, readLayer: ReadLayer): ReturnType<ReadLayer> {
  if (text.length > SETTINGS_BYTES_MAX)
    return { problem: `it is too large (more than ${SETTINGS_BYTES_MAX / 1024} kB)` };
  const result = readLayer(text);
  if ("problem" in result) return result;
  const isMap = typeof result.layer === "object" && result.layer !== null && !Array.isArray(result.layer);
  return isMap ? result : { problem: "it is not a map of settings" };
}

function isCurrent(cached: Compiled, texts: readonly Found[], { program, policyIds }: SettingsRequest): boolean {
  return (
    cached.program === program &&
    cached.policyIds.join() === policyIds.join() &&
    cached.sources.length === texts.length &&
    cached.sources.every((source, at) => source.path === texts[at]?.path && source.text === texts[at]?.text)
  );
}

/** An existing settings file: its text, or why it is unreadable. */
interface Found {
  readonly path: string;
  readonly text: string;
  readonly problem?: string;
}

const BYTES_MAX = 4 * 1024 * 1024;

/** Most projects have no settings file, and a check is cheaper than an exception. */
function read(path: string): Found | undefined {
  try {
    if (!statSync(path, { throwIfNoEntry: false })) return undefined;
    const file = readPlain(path, BYTES_MAX);
    if (!file) return undefined;
    if ("problem" in file) return { path, text: "", problem: `it ${file.problem}` };
    return file.cut ? { path, text: "", problem: "it is too large" } : { path, text: file.bytes.toString("utf8") };
  } catch (error) {
    return { path, text: "", problem: error instanceof Error ? error.message : String(error) };
  }
}

function readCache(path: string): Compiled | undefined {
  try {
    const value = JSON.parse(plainText(path, BYTES_MAX) ?? "null") as Compiled;
    return Array.isArray(value.sources) && Array.isArray(value.policyIds) && value.settings ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written only costs time at the next event. */
function writeCache(path: string, compiled: Compiled): void {
  const temporary = join(dirname(path), `.settings.${process.pid}.tmp`);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify(compiled), { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    void error;
  }
}
