/** What a file is, by its name alone: code, a document, a test, or made by a program. */
import { names } from "./name-table.ts";
import { baseName } from "./paths.ts";

export type FileKind = "code" | "document" | "other";

const CODES = names(
  "ts tsx js jsx mjs cjs mts cts py pyi sh bash zsh css scss sass less html vue svelte astro ipynb go rs java kt kts " +
    "swift c cc cpp cxx h hpp hh rb php sql r lua pl ex exs erl hs ml fs cs vb dart scala groovy clj nim zig v d",
);
const DOCUMENTS = names("md mdx txt rst adoc tex org wiki asciidoc");

/** What is neither, data and configuration among it, is nobody's to gate; `extra` are further endings of code. */
export function fileKind(path: string, extra: readonly string[] = []): FileKind {
  const ending = endingOf(path);
  if (CODES.has(ending) || extra.includes(ending)) return "code";
  return DOCUMENTS.has(ending) ? "document" : "other";
}

/** After the last dot of the name, without regard to case; empty when there is none. */
export function endingOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}

const MADE = names(
  "node_modules dist build coverage .next .nuxt .svelte-kit out .turbo target __pycache__ .venv vendor",
);

/** Made by a program: whoever wants it otherwise changes what it is made from. */
export function isGenerated(path: string): boolean {
  return /\.(?:d\.[cm]?ts|min\.(?:js|css)|bundle\.(?:js|css)|map)$/i.test(path);
}

/** Below a directory that a build fills, seen from the project's root. */
export function isBuilt(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .some((name) => MADE.has(name));
}

const TEST_DIRECTORIES = names("test tests __tests__ spec specs testing");

/** A test by its name or by a directory of tests above it; the path is seen from the project's root. */
export function isTest(path: string): boolean {
  const name = baseName(path);
  return (
    isTestName(name) ||
    (fileKind(path) === "code" &&
      path
        .split("/")
        .slice(0, -1)
        .some((part) => TEST_DIRECTORIES.has(part)))
  );
}

function isTestName(name: string): boolean {
  return (
    /[._-](?:test|spec)s?\.[cm]?[jt]sx?$/i.test(name) ||
    /^test_[^/]*\.py$|_test\.(?:py|go|rb|exs|dart|c|cc|cpp)$|_spec\.rb$/.test(name) ||
    /(?:Tests?|Spec|IT)\.(?:java|kt|scala|cs|groovy|swift)$/.test(name)
  );
}
