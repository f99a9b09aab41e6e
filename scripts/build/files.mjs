/** The files that the hook needs, as esbuild compiles each of them alone. */
import { dirname, join } from "node:path/posix";
import { build } from "esbuild";
import { plainTables } from "./tables.mjs";

/** All files that the entry needs, with the names that are used of each: what nothing uses is left out. */
export async function filesFrom(wanted, read) {
  const files = new Map();
  for (let open = new Set(wanted.keys()); open.size > 0; ) {
    const found = await Promise.all([...open].map(async (file) => [file, await read(file, [...wanted.get(file)])]));
    open = new Set();
    for (const [file, one] of found) {
      files.set(file, one);
      for (const [from, name] of one.uses) {
        if (!wanted.has(from)) wanted.set(from, new Set());
        if (wanted.get(from).has(name)) continue;
        wanted.get(from).add(name);
        open.add(from);
      }
    }
  }
  return files;
}

/** All that the files export, types aside. */
export async function exportsOf(files, options) {
  const { metafile } = await build({
    ...options,
    bundle: false,
    minify: false,
    define: {},
    mainFields: undefined,
    format: "esm",
    entryPoints: files.map((file) => `src/${file}`),
    outdir: "none",
    write: false,
  });
  return Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]);
}

export const isPackage = (file) => !file.startsWith("src/");

/** esbuild compiles one file alone, without what is not wanted, and writes `import_x.name` for each use of another. */
export async function oneFile(file, wanted, { options, plugins }) {
  const { outputFiles } = await build({
    ...options,
    stdin: {
      contents: `export { ${wanted.join(", ")} } from "${isPackage(file) ? file : `./${file}`}";`,
      resolveDir: options.absWorkingDir,
    },
    minify: false,
    write: false,
    plugins: [...(isPackage(file) ? [] : [othersOutside(file)]), ...plugins],
  });
  const [head, body = ""] = outputFiles[0].text.split("module.exports = __toCommonJS(stdin_exports);\n");
  const code = body.replace(/^\/\/ Annotate the CommonJS[\s\S]*/m, "");
  const [, list = ""] = /__export\(stdin_exports, \{\n([\s\S]*?)\n\}\);/.exec(head) ?? [];
  const exports = [...list.matchAll(/^ {2}(\w+): \(\) => ([\w.]+),?$/gm)].map(([, name, value]) => ({ name, value }));
  if (exports.length !== wanted.length) throw new Error(`${file} does not export all of ${wanted.join(", ")}`);
  const imports = [...code.matchAll(IMPORT)].map(([, local, from]) => ({ local, from }));
  const rest = code.replace(IMPORT, "");
  if (!isPackage(file) && /\b__[a-zA-Z]+\(|require\("[^.n]/.test(rest))
    throw new Error(`${file}: an import was not understood`);
  const ours = imports.filter(({ from }) => !from.startsWith("node:"));
  const used = [rest, ...exports.map(({ value }) => value)].join("\n");
  const uses = ours.flatMap(({ local, from }) => [...used.matchAll(useOf(local))].map(([, name]) => [from, name]));
  return { code: isPackage(file) ? rest : plainTables(rest), exports, imports, uses };
}

/** A namespace keeps the name that the file gives it. */
const IMPORT = /^var (\w+) = (?:__toESM\()?require\("([^"]+)"\)(?:, 1)?\)?;\n/gm;
/** Not a property of that name; `...` is no property. */
export const ALONE = "(?<![\\w$])(?<!(?<![.][.])[.])";
export const useOf = (local) => new RegExp(`${ALONE}${local}\\.(\\w+)`, "g");

/** Leaves the imports of a file as they are, by their path in the checkout. */
function othersOutside(file) {
  return {
    name: "others-outside",
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]|^[.]/ }, ({ path, importer }) => {
        if (!importer.endsWith(`/${file}`)) return undefined;
        const found = path.startsWith(".") ? join(dirname(file), path) : path;
        return { path: found, external: true, sideEffects: false };
      });
    },
  };
}
