/** Builds the program into dist/: the launcher, the hook's bundle, the commands, and the reader of settings. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { reducerHash } from "./reducer-hash.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minify: true,
  legalComments: "none",
  charset: "utf8",
  logLevel: "warning",
  define: { __VERSION__: JSON.stringify(version), __REDUCER_HASH__: JSON.stringify(reducerHash()) },
};

rmSync(join(root, "dist"), { recursive: true, force: true });
const dist = (file) => join(root, "dist", file);
await Promise.all([
  build({
    ...common,
    entryPoints: ["src/main.ts"],
    outfile: dist("sekisho.cjs"),
    banner: { js: "#!/usr/bin/env node" },
  }),
  build({ ...common, entryPoints: ["src/plain-lane.ts"], outfile: dist("hook.cjs") }),
  build({ ...common, entryPoints: ["src/cli/index.ts"], outfile: dist("cli.cjs") }),
  build({ ...common, entryPoints: ["src/store/settings-yaml.ts"], outfile: dist("settings-yaml.cjs") }),
]);
chmodSync(dist("sekisho.cjs"), 0o755);
linkIntoCheckout();

/** So that `npx sekisho` in a checkout runs the checkout, with nothing to download and nothing to install. */
function linkIntoCheckout() {
  const bin = join(root, "node_modules", ".bin");
  if (!existsSync(join(root, "node_modules"))) return;
  mkdirSync(bin, { recursive: true });
  rmSync(join(bin, "sekisho"), { force: true });
  symlinkSync(join("..", "..", "dist", "sekisho.cjs"), join(bin, "sekisho"));
}
