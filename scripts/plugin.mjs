/** Writes the plugin's files from the policies and the hook table: `node scripts/plugin.mjs [--check]`. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { commands } from "./plugin-commands.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { version, description, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const author = { name: "Sekisho contributors" };

const { hooks, guide, schema } = await sources();

const files = {
  "plugin/hooks/hooks.json": hooks,
  "plugin/.claude-plugin/plugin.json": { name: "sekisho", version, description, author, license },
  ".claude-plugin/marketplace.json": {
    name: "sekisho",
    owner: author,
    metadata: { description: "Sekisho from this directory: build it first (npm ci), then install the plugin." },
    plugins: [{ name: "sekisho", source: "./plugin", description }],
  },
  ...commands,
  "plugin/pipelines/pipeline.schema.json": schema,
  // Other skills and agents are written by hand. This one is generated, because the program prints the same text.
  "plugin/skills/getting-started/SKILL.md": gettingStarted(guide),
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

function gettingStarted(lines) {
  const about =
    "How work goes in a project that Sekisho governs: what refusals mean, what counts as done, which files keep the thread. " +
    "Use when a session begins, or when a gate has refused something and it is not clear why.";
  const front = ["---", "name: getting-started", `description: "${about}"`, "---", ""];
  return [...front, ...lines.map(({ en }) => en), ""].join("\n");
}

/**
 * Loads the hooks that `init` registers and the guide shown at session start. They are TypeScript, so esbuild bundles
 * them first.
 */
async function sources() {
  const directory = mkdtempSync(join(tmpdir(), "sekisho-plugin-"));
  const outfile = join(directory, "sources.mjs");
  const contents = `
    import { pluginHooks } from "./src/hosts/claude-code/plugin.ts";
    import { traits } from "./src/hosts/claude-code/traits.ts";
    import { policies } from "./src/policies/index.ts";
    import { guide as lines } from "./src/policies/context/guide.ts";
    import { pipelineSchema } from "./src/pipeline/schema.ts";
    export const schema = pipelineSchema();
    export const hooks = pluginHooks([...new Set(policies.flatMap(({ on }) => on))]);
    export const guide = lines(traits);
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
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
