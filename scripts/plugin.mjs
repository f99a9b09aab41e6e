/** Writes the plugin's files from the law and the table of hooks: `node scripts/plugin.mjs [--check]`. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { commands } from "./plugin-commands.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { version, description, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const author = { name: "Sekisho contributors" };

const files = {
  "plugin/hooks/hooks.json": await hooks(),
  "plugin/.claude-plugin/plugin.json": { name: "sekisho", version, description, author, license },
  ".claude-plugin/marketplace.json": {
    name: "sekisho",
    owner: author,
    metadata: { description: "Sekisho from this directory: build it first (npm ci), then install the plugin." },
    plugins: [{ name: "sekisho", source: "./plugin", description }],
  },
  ...commands,
};

const stale = Object.entries(files).filter(([path, value]) => textOf(path) !== written(value));
if (process.argv.includes("--check")) {
  for (const [path] of stale) console.error(`${path} is not fresh: run \`node scripts/plugin.mjs\`.`);
  process.exitCode = stale.length > 0 ? 2 : 0;
} else {
  for (const [path, value] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), written(value));
  }
}

function written(value) {
  return typeof value === "string" ? value : `${JSON.stringify(value, null, 2)}\n`;
}

function textOf(path) {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined;
}

/** What `init` registers, from the same table; it is TypeScript, so it is bundled first. */
async function hooks() {
  const directory = mkdtempSync(join(tmpdir(), "sekisho-plugin-"));
  const outfile = join(directory, "hooks.mjs");
  const contents = `
    import { pluginHooks } from "./src/hosts/claude-code/plugin.ts";
    import { policies } from "./src/policies/index.ts";
    export const hooks = pluginHooks([...new Set(policies.flatMap(({ on }) => on))]);
  `;
  try {
    await build({
      absWorkingDir: root,
      stdin: { contents, resolveDir: root },
      bundle: true,
      platform: "node",
      format: "esm",
      mainFields: ["module", "main"],
      logLevel: "warning",
      outfile,
    });
    return (await import(pathToFileURL(outfile).href)).hooks;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
