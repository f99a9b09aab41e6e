/** Builds the program into dist/: the launcher, the hook's bundle, what it loads on demand, the commands, the daemon. */
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
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { escapeNonAscii } from "./build/ascii.mjs";
import { policiesByEvent } from "./build/by-event.mjs";
import { link } from "./build/link.mjs";
import { noticesFor } from "./build/notices.mjs";
import { VOLUMES } from "./build/volumes.mjs";
import { reducerDefines } from "./reducer-hash.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minify: true,
  metafile: true,
  // The licences are shipped as one file.
  legalComments: "none",
  // The CommonJS build of jsonc-parser does not work when bundled, so the ES module build is preferred.
  mainFields: ["module", "main"],
  logLevel: "warning",
  define: { __VERSION__: JSON.stringify(version), ...reducerDefines() },
};

/** unbash makes a text decoder that hardly any command needs; making it costs a fresh process 0.4 ms. */
const decoderWhenUsed = {
  name: "decoder-when-used",
  setup({ onLoad }) {
    onLoad({ filter: /[/]unbash[/]dist[/]ansi-c[.]js$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source.replace(
        /^const utf8 = (new TextDecoder\(.*\));$/m,
        "const utf8 = { decode: (bytes) => $1.decode(bytes) };",
      );
      if (contents === source) throw new Error(`${path} has no decoder where one is expected`);
      return { contents, loader: "js" };
    });
  },
};

/** Examples are for readers and tests. */
const withoutExamples = {
  name: "without-examples",
  setup({ onLoad }) {
    const verbs = "no|require|remind|track|run";
    onLoad({ filter: new RegExp(`/src/policies/(?:\\w+/)+(?:${verbs})-[\\w-]+[.]ts$`) }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source
        .replace(/\n {2}examples: \[\n[\s\S]*?\n {2}\],\n/, "\n  examples: [],\n")
        .replace(/\n {2}get examples\(\)[^{]*\{\n[\s\S]*?\n {2}\},\n/, "\n  examples: [],\n");
      if (contents === source) throw new Error(`${path} has no examples where they are expected`);
      return { contents, loader: "ts" };
    });
  },
};

/** The hook's files, each run when it is first used. */
const LINKED = {
  entry: "src/lanes/plain/plain-lane.ts",
  names: ["answer", "run"],
  volumes: VOLUMES,
  offered: ["shell.cjs", "daemon.cjs"],
};

const bundles = {
  "snapshot.cjs": { entryPoints: ["src/undo/index.ts"] },
  "settings-yaml.cjs": { entryPoints: ["src/store/settings/settings-yaml.ts"] },
};

/** In the program itself, so that every kept copy has them and the manifest guards them. */
function pipelines() {
  const directory = join(root, "plugin", "pipelines");
  const names = readdirSync(directory).filter((name) => name.endsWith(".yaml"));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}

/** Built after the others, because they name them by their hashes. */
const knowing = (hashes, standIns) => {
  const id = sha256(Object.values(hashes).join());
  const define = { ...common.define, __BUILD__: JSON.stringify(id.slice(0, 12)) };
  return {
    "gatehouse.cjs": {
      entryPoints: ["src/lanes/gatehouse/start.ts"],
      external: ["./hook.cjs"],
      plugins: [standIns],
      define,
    },
    "watch.cjs": { entryPoints: ["src/lanes/gatehouse/watch.ts"], external: ["./fall-back.cjs"], define },
    "fall-back.cjs": { entryPoints: ["src/lanes/gatehouse/fall-back.ts"], define },
    "cli.cjs": {
      entryPoints: ["src/cli/index.ts"],
      charset: "utf8",
      external: ["./gatehouse.cjs", "./hook.cjs"],
      plugins: [standIns],
      // esbuild can tree-shake only this build of yaml.
      alias: { yaml: "./node_modules/yaml/browser/dist/index.js" },
      define: { ...define, __PIPELINES__: JSON.stringify(pipelines()) },
    },
    "sekisho.cjs": {
      entryPoints: ["src/main.ts"],
      external: ["./cli.cjs", "./watch.cjs"],
      banner: { js: "#!/usr/bin/env node" },
      define: { ...common.define, __BUNDLE_HASHES__: JSON.stringify(hashes) },
    },
  };
};

const NOTICES = "THIRD_PARTY_NOTICES.txt";

mkdirSync(join(root, "dist"), { recursive: true });
removeUnfinished(join(root, "dist"));
const fresh = mkdtempSync(join(root, "dist", ".build-"));
try {
  const first = await buildAll(bundles, fresh);
  const plugins = [await policiesByEvent(common), decoderWhenUsed, withoutExamples];
  const { texts, packages, standIns } = await link({ ...LINKED, options: common, plugins });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(fresh, name), escapeNonAscii(text));
  // The launcher loads these with V8's code cache, and knows them by their content.
  const hashes = Object.fromEntries(Object.keys(texts).map((name) => [name, sha256(readFileSync(join(fresh, name)))]));
  const rest = knowing(hashes, standIns);
  const second = await buildAll(rest, fresh);
  chmodSync(join(fresh, "sekisho.cjs"), 0o755);
  const programs = [...Object.keys(texts), ...Object.keys(bundles), ...Object.keys(rest)];
  const built = Object.entries({ ...first, ...second });
  const inputs = built.map(([bundle, metafile]) => [bundle, filesIn(metafile)]);
  writeFileSync(join(fresh, NOTICES), noticesFor({ ...packages, ...Object.fromEntries(inputs) }, root));
  writeManifest(fresh, programs);
  const files = [NOTICES, "manifest.json", ...programs];
  // Each file is replaced in one step, the launcher last: hooks of running sessions may be using the old ones now.
  for (const file of files) renameSync(join(fresh, file), join(root, "dist", file));
  removeOthers(join(root, "dist"), files);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
linkIntoCheckout();
copyIntoPlugin();

async function buildAll(files, directory) {
  const built = Object.entries(files).map(async ([file, options]) => {
    const { metafile } = await build({ ...common, ...options, outfile: join(directory, file) });
    return [file, metafile];
  });
  return Object.fromEntries(await Promise.all(built));
}

/** The files that a bundle holds something of; esbuild also reads files and then drops all of them. */
function filesIn({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
}

function sha256(content) {
  return createHash("sha256").update(content).digest("hex");
}

/** `sekisho doctor` compares the installed files with it, and `sekisho upgrade` tells versions apart by it. */
function writeManifest(directory, files) {
  const sums = Object.fromEntries(files.map((file) => [file, sha256(readFileSync(join(directory, file)))]));
  writeFileSync(join(directory, "manifest.json"), `${JSON.stringify({ version, files: sums }, null, 2)}\n`);
}

/** Left by a build that was killed; it would be packed with the program. A build running beside us is younger. */
function removeUnfinished(directory) {
  const isOld = (name) => Date.now() - statSync(join(directory, name)).mtimeMs > 600_000;
  for (const name of readdirSync(directory).filter((one) => one.startsWith(".build-")))
    if (isOld(name)) rmSync(join(directory, name), { recursive: true, force: true });
}

/** So that `npx sekisho` in a checkout runs the checkout. */
function linkIntoCheckout() {
  const bin = join(root, "node_modules", ".bin");
  if (!existsSync(join(root, "node_modules"))) return;
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, "sekisho"), { force: true });
  symlinkSync(join("..", "..", "dist", "sekisho.cjs"), join(bin, "sekisho"));
}

/** The host copies a plugin as a directory, so the program must be inside. The npm package ships this copy only. */
function copyIntoPlugin() {
  const [from, to] = [join(root, "dist"), join(root, "plugin", "dist")];
  mkdirSync(to, { recursive: true });
  const files = readdirSync(from).filter((name) => !name.startsWith("."));
  for (const file of files) {
    const temporary = join(to, `.${file}.${process.pid}`);
    copyFileSync(join(from, file), temporary);
    renameSync(temporary, join(to, file));
  }
  removeOthers(to, files);
}

/** Files that an earlier build made and this one does not. */
function removeOthers(directory, files) {
  for (const name of readdirSync(directory)) {
    if (name.endsWith(".cjs") && !files.includes(name)) rmSync(join(directory, name));
  }
}
