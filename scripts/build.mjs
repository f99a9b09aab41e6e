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
  writeFileSync,
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
const SHELL_PARTS = {
  "kernel/shell-command.ts": "readCommand",
  "policies/access/destruction.ts": "destructionOf",
  "policies/access/secret-line.ts": "leaksOf",
};
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
  "settings-yaml.cjs": { entryPoints: ["src/store/settings-yaml.ts"] },
};

/** Built when the law is: they know it by its content. */
const knowing = (hashes) => {
  const define = { ...common.define, __BUILD__: JSON.stringify(hashes["hook-shell.cjs"].slice(0, 12)) };
  return {
    "gatehouse.cjs": { entryPoints: ["src/gatehouse/index.ts"], define },
    "watch.cjs": { entryPoints: ["src/gatehouse/watch.ts"], external: ["./fall-back.cjs"], define },
    "fall-back.cjs": { entryPoints: ["src/gatehouse/fall-back.ts"], define },
    "cli.cjs": { entryPoints: ["src/cli/index.ts"], external: ["./gatehouse.cjs"], define },
    "sekisho.cjs": {
      entryPoints: ["src/main.ts"],
      external: ["./cli.cjs", "./watch.cjs"],
      banner: { js: "#!/usr/bin/env node" },
      define: { ...common.define, __BUNDLE_HASHES__: JSON.stringify(hashes) },
    },
  };
};

/** The launcher reads these bundles byte by byte (src/code-cache.ts): esbuild escapes texts, but not patterns. */
function asciiSha256(file) {
  const content = readFileSync(file);
  const strange = content.findIndex((byte) => byte > 0x7f);
  if (strange >= 0) throw new Error(`not ASCII: ${content.subarray(strange - 60, strange + 20)}`);
  return sha256(file);
}

function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** What `sekisho doctor` holds the installed files against, and how `sekisho upgrade` tells versions apart. */
function writeManifest(directory, files) {
  const sums = Object.fromEntries(files.map((file) => [file, sha256(join(directory, file))]));
  writeFileSync(join(directory, "manifest.json"), `${JSON.stringify({ version, files: sums }, null, 2)}\n`);
}

mkdirSync(join(root, "dist"), { recursive: true });
const fresh = mkdtempSync(join(root, "dist", ".build-"));
try {
  await buildAll(bundles, fresh);
  const hashes = Object.fromEntries(
    ["hook.cjs", "hook-shell.cjs"].map((name) => [name, asciiSha256(join(fresh, name))]),
  );
  const rest = knowing(hashes);
  await buildAll(rest, fresh);
  chmodSync(join(fresh, "sekisho.cjs"), 0o755);
  const files = [...Object.keys(bundles), ...Object.keys(rest)];
  writeManifest(fresh, files);
  // Each file changes in one step, the launcher last: hooks of running sessions may be using the old ones this moment.
  for (const file of ["manifest.json", ...files]) renameSync(join(fresh, file), join(root, "dist", file));
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
linkIntoCheckout();
copyIntoPlugin();

function buildAll(files, directory) {
  return Promise.all(
    Object.entries(files).map(([file, options]) => build({ ...common, ...options, outfile: join(directory, file) })),
  );
}

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
