/** Builds the program into dist/: the launcher, the hook's bundle, the commands, and the reader of settings. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { reducerHash } from "./reducer-hash.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The hook's bundle is run by the launcher, which expects a function: see src/code-cache.ts. */
const HEAD = "(function (exports, require, module, __filename, __dirname) {";

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minify: true,
  legalComments: "none",
  // jsonc-parser's other half finds its parts only when it is not bundled.
  mainFields: ["module", "main"],
  logLevel: "warning",
  define: { __VERSION__: JSON.stringify(version), __REDUCER_HASH__: JSON.stringify(reducerHash()) },
};

const lane = { entryPoints: ["src/plain-lane.ts"], banner: { js: HEAD }, footer: { js: "})" } };

/** What only shell commands need, and what stands in for it where there are none. See `isAboutShell` in src/main.ts. */
const SHELL_PARTS = { "kernel/shell-command.ts": "readCommand", "policies/access/destruction.ts": "destructionOf" };
const withoutShell = {
  name: "without-shell",
  setup({ onLoad }) {
    for (const [file, name] of Object.entries(SHELL_PARTS)) {
      onLoad({ filter: new RegExp(`/src/${file.replace(".", "[.]")}$`) }, () => ({
        contents: `export function ${name}() { throw new Error("this bundle does not read shell commands"); }`,
        loader: "ts",
      }));
    }
  },
};

const bundles = {
  "hook.cjs": { ...lane, plugins: [withoutShell] },
  "hook-shell.cjs": lane,
  "cli.cjs": { entryPoints: ["src/cli/index.ts"] },
  "settings-yaml.cjs": { entryPoints: ["src/store/settings-yaml.ts"] },
};

/** Built last and renamed last: it knows the others by their content. */
const launcher = (directory) => ({
  entryPoints: ["src/main.ts"],
  external: ["./cli.cjs"],
  banner: { js: "#!/usr/bin/env node" },
  define: {
    ...common.define,
    __BUNDLE_HASHES__: JSON.stringify(
      Object.fromEntries(["hook.cjs", "hook-shell.cjs"].map((name) => [name, sha256(join(directory, name))])),
    ),
  },
});

/** The launcher reads these bundles byte by byte (src/code-cache.ts): esbuild escapes texts, but not patterns. */
function sha256(file) {
  const content = readFileSync(file);
  const strange = content.findIndex((byte) => byte > 0x7f);
  if (strange >= 0) throw new Error(`not ASCII: ${content.subarray(strange - 60, strange + 20)}`);
  return createHash("sha256").update(content).digest("hex");
}

mkdirSync(join(root, "dist"), { recursive: true });
const fresh = mkdtempSync(join(root, "dist", ".build-"));
try {
  await Promise.all(
    Object.entries(bundles).map(([file, options]) => build({ ...common, ...options, outfile: join(fresh, file) })),
  );
  await build({ ...common, ...launcher(fresh), outfile: join(fresh, "sekisho.cjs") });
  chmodSync(join(fresh, "sekisho.cjs"), 0o755);
  // Each file changes in one step: hooks of running sessions may be using the old ones this very moment.
  for (const file of [...Object.keys(bundles), "sekisho.cjs"]) renameSync(join(fresh, file), join(root, "dist", file));
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
linkIntoCheckout();
copyIntoPlugin();

/** So that `npx sekisho` in a checkout runs the checkout, with nothing to download and nothing to install. */
function linkIntoCheckout() {
  const bin = join(root, "node_modules", ".bin");
  if (!existsSync(join(root, "node_modules"))) return;
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, "sekisho"), { force: true });
  symlinkSync(join("..", "..", "dist", "sekisho.cjs"), join(bin, "sekisho"));
}

/** A plugin is copied about as a directory, so it must hold the program itself: a path that leads out of it would not last. */
function copyIntoPlugin() {
  const [from, to] = [join(root, "dist"), join(root, "plugin", "dist")];
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter((name) => name.endsWith(".cjs"))) {
    const temporary = join(to, `.${file}.${process.pid}`);
    copyFileSync(join(from, file), temporary);
    renameSync(temporary, join(to, file));
  }
}
