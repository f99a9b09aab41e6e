/** Finds the real Claude Code binary, or installs it once from the npm registry into the user's cache. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Pinned: on Node 20 a plain `npm install` picks a much older version whose `engines` fit and that ignores `onFailure`.
 * The binary itself is native and needs no Node.
 */
const VERSION = "2.1.325";

const CACHE = join(homedir(), ".cache", "sekisho-client", VERSION);

/** Run once by vitest, before the tests. */
export function setup(): void {
  if (process.env["SEKISHO_CLIENT"] === undefined && installed() === undefined) install();
  clientBinary();
}

/** The binary to test with: the one SEKISHO_CLIENT names, or the installed one. */
export function clientBinary(): string {
  const named = process.env["SEKISHO_CLIENT"];
  const found = named ?? installed();
  if (found === undefined) throw new Error(`There is no client ${VERSION} in ${CACHE} that runs here.`);
  if (named !== undefined && versionOf(named) === "")
    throw new Error(`SEKISHO_CLIENT names ${named}, which does not run.`);
  return found;
}

/**
 * The platform package contains the binary; the main package only links to it in an install script, which may be
 * blocked. Where npm installed two (glibc and musl), the one that runs is used.
 */
function installed(): string | undefined {
  const scope = join(CACHE, "node_modules", "@anthropic-ai");
  return list(scope)
    .filter((name) => name.startsWith("claude-code-"))
    .flatMap((name) => [join(scope, name, "claude"), join(scope, name, "claude.exe")])
    .find((binary) => versionOf(binary) === VERSION);
}

function install(): void {
  mkdirSync(CACHE, { recursive: true });
  console.log(`Installing the client ${VERSION} into ${CACHE}: 366 MB, about half a minute, once.`);
  const wanted = `@anthropic-ai/claude-code@${VERSION}`;
  const options = [
    "--prefix",
    CACHE,
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--fetch-retries",
    "1",
    "--loglevel",
    "http",
  ];
  const { status, error } = spawnSync("npm", ["install", ...options, wanted], { cwd: CACHE, stdio: "inherit" });
  if (status === 0 && installed() !== undefined) return;
  const cause = error?.message ?? (status === 0 ? "no binary for this platform" : `npm ended with code ${status}`);
  throw new Error(
    `The client ${VERSION} could not be installed from the npm registry (${cause}). ` +
      "The stories need it: try again with a network, or name a binary in SEKISHO_CLIENT.",
  );
}

function versionOf(binary: string): string {
  const { stdout } = spawnSync(binary, ["--version"], {
    encoding: "utf8",
    env: { HOME: CACHE, PATH: "/usr/bin:/bin" },
  });
  return stdout?.split(" ")[0]?.trim() ?? "";
}

function list(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // Not installed yet.
    return [];
  }
}
