/** The licences of the libraries that are bundled into the program, as they must be shipped with it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `inputs`: by bundle, the files that esbuild put into it. */
export function noticesFor(inputs, root) {
  const bundles = bundlesByPackage(inputs);
  const names = Object.keys(bundles).sort();
  const parts = names.map((name) => noticeOf(name, bundles[name], join(root, "node_modules", name)));
  const head = `Sekisho bundles the following libraries (${names.join(", ")}). Their licences:`;
  return `${[head, ...parts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

function bundlesByPackage(inputs) {
  const bundles = {};
  for (const [bundle, files] of Object.entries(inputs)) {
    for (const name of new Set(files.flatMap((path) => packageOf(path) ?? []))) {
      bundles[name] = [...(bundles[name] ?? []), bundle];
    }
  }
  return bundles;
}

function packageOf(path) {
  return /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1];
}

function noticeOf(name, bundles, directory) {
  const { version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const files = existsSync(directory)
    ? readdirSync(directory).filter((file) => /^(licen[cs]e|notice)/i.test(file))
    : [];
  const texts = files.map((file) => readFileSync(join(directory, file), "utf8").trim());
  if (texts.length === 0) throw new Error(`${name} ${version} has no licence text to ship`);
  return [`${name} ${version} (${license}) in ${bundles.sort().join(", ")}`, ...texts].join("\n\n");
}
