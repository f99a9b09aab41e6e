/** How much ceremony a change needs, measured from the change itself. */
import { names } from "../lib/name-table.ts";
import { baseName } from "../lib/paths.ts";
import { fileKind, isBuilt, isGenerated } from "../reading/operation/file-kind.ts";
import { defaultSettings, type Settings } from "../state/settings/settings.ts";
import type { ChangedFile } from "./diff.ts";

export const TIERS = ["free", "S", "M", "L"] as const;

/** `free`: nothing. `S`: a passing command. `M`: a short plan and one critic. `L`: the full path. */
export type Tier = (typeof TIERS)[number];

export type Thresholds = Pick<Settings["plan"], "free_files" | "free_lines" | "s_files" | "m_files">;

/** What makes a file weigh more than its lines. */
export type Weight = "dependencies" | "ci" | "schema" | "protected";

export interface Size {
  readonly tier: Tier;
  /** Files that count: no documents, nothing generated, no lock files, no formatting. */
  readonly files: readonly string[];
  readonly lines: number;
  readonly weighty: readonly { readonly path: string; readonly why: Weight }[];
}

export function sizeOf(
  changed: readonly ChangedFile[],
  thresholds: Thresholds = defaultSettings.plan,
  isProtected: (path: string) => boolean = () => false,
): Size {
  const counted = changed.filter(({ path, lines }) => lines > 0 && !isSlight(path));
  const files = counted.map(({ path }) => path);
  const lines = counted.reduce((sum, one) => sum + one.lines, 0);
  const weighty = changed.flatMap(({ path, lines: count }) => {
    const why = isProtected(path) ? "protected" : weightOf(path);
    return why === undefined || count === 0 ? [] : [{ path, why }];
  });
  return { tier: tierOf(files.length, lines, weighty.length > 0, thresholds), files, lines, weighty };
}

/** Of a change that is only expected, the lines are unknown: `Infinity`. */
export function tierOf(files: number, lines: number, isWeighty: boolean, thresholds: Thresholds): Tier {
  const { free_files, free_lines, s_files, m_files } = thresholds;
  if (files > m_files) return "L";
  if (isWeighty || files > s_files) return "M";
  return files === 0 || (files <= free_files && lines <= free_lines) ? "free" : "S";
}

/** Whether one tier is more than another. */
export function isAbove(one: Tier, other: Tier): boolean {
  return TIERS.indexOf(one) > TIERS.indexOf(other);
}

const LOCKS = names(
  "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb Cargo.lock poetry.lock uv.lock Pipfile.lock pdm.lock go.sum Gemfile.lock composer.lock mix.lock pubspec.lock flake.lock packages.lock.json gradle.lockfile",
);

/** Documents, build output and lock files; the path is relative to the root. */
export function isSlight(path: string): boolean {
  return fileKind(path) === "document" || isWeightless(path);
}

/** Nobody writes it by hand. */
export function isWeightless(path: string): boolean {
  return isBuilt(path) || isGenerated(path) || LOCKS.has(baseName(path));
}

const DEPENDENCIES = names(
  "package.json pyproject.toml setup.py setup.cfg Pipfile environment.yml Cargo.toml go.mod Gemfile composer.json pom.xml build.gradle build.gradle.kts mix.exs pubspec.yaml deno.json deno.jsonc Package.swift",
);
const CI_FILES = names(
  ".gitlab-ci.yml Jenkinsfile azure-pipelines.yml .travis.yml bitbucket-pipelines.yml cloudbuild.yaml",
);
const CI_DIRECTORY = /(?:^|\/)(?:\.github\/(?:workflows|actions)|\.circleci|\.buildkite|\.ci)\//;
const SCHEMA =
  /(?:^|\/)(?:migrations?|migrate|alembic\/versions)\/|\.(?:proto|graphqls?|prisma|xsd|avsc)$|(?:^|\/)(?:schema\.(?:rb|sql)|(?:openapi|swagger)[^/]*\.(?:ya?ml|json))$/i;

export function weightOf(path: string): Weight | undefined {
  const name = baseName(path);
  if (DEPENDENCIES.has(name) || /^requirements[^/]*\.(?:txt|in)$|\.(?:csproj|fsproj|gemspec)$/.test(name))
    return "dependencies";
  if (CI_FILES.has(name) || CI_DIRECTORY.test(path)) return "ci";
  return SCHEMA.test(path) ? "schema" : undefined;
}

const SHORT_TOKENS = 1000;

/** More than a short plan. Four characters are about one token. */
function isLong(characters: number): boolean {
  return characters / 4 > SHORT_TOKENS;
}

/** What an approval remembers of a plan's length. */
export function lengthOf(characters: number): { readonly long?: true } {
  return isLong(characters) ? { long: true } : {};
}
