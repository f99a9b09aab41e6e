/**
 * Files that the hook loads only when it needs them, each group as one bundle. Every event pays for what `hook.cjs`
 * holds, so code that few events reach stands here. A file's exported functions become stand-ins that load its bundle on
 * the first call; exported constants cannot be used from outside the bundle.
 */
import { createRequire } from "node:module";
import { basename } from "node:path";
import { build } from "esbuild";

export const ON_DEMAND = {
  /** Reading shell commands and their dangers: two thirds of the code. */
  "shell.cjs": [
    "evidence/answers.ts",
    "evidence/checks/run.ts",
    "evidence/told-results.ts",
    "hosts/claude-code/arming.ts",
    "hosts/claude-code/skills.ts",
    "hosts/claude-code/transcript-steps.ts",
    "hosts/claude-code/variables.ts",
    "jobs/format.ts",
    "kernel/shape.ts",
    "kernel/snapshot-note.ts",
    "policies/access/danger/destruction.ts",
    "policies/access/danger/script-danger.ts",
    "policies/access/secrets/line.ts",
    "policies/access/stance-refusal.ts",
    "policies/access/tampering/host-process.ts",
    "policies/access/tampering/own-command.ts",
    "policies/access/tampering/script-tampering.ts",
    "policies/access/tampering/stranger.ts",
    "policies/access/tampering/tampering.ts",
    "policies/access/tampering/typing.ts",
    "policies/access/workaround.ts",
    "policies/modes/tool-tips.ts",
    "policies/proof/evidence-gate.ts",
    "policies/proof/owed-words.ts",
    "policies/proof/shown.ts",
    "policies/quality/failed-edits.ts",
    "policies/quality/test-ruling.ts",
    "policies/repository/branch-change.ts",
    "policies/repository/merging.ts",
    "policies/repository/protected-push.ts",
    "policies/repository/publication.ts",
    "policies/trust/failures.ts",
    "policies/with-scripts.ts",
    "reading/operation/families.ts",
    "reading/operation/losses.ts",
    "reading/shell/walk/command.ts",
    "world/facts/branches.ts",
    "world/facts/checks.ts",
    "world/facts/discarded.ts",
    "world/facts/panes.ts",
    "world/facts/pushes.ts",
    "world/facts/ground.ts",
    "world/facts/scripts.ts",
    "world/facts/staged.ts",
    "world/facts/unkept.ts",
    "world/machine/tree-digest.ts",
  ],
  /** The beginning of a session and the work before compaction. */
  "context.cjs": [
    "hosts/claude-code/transcript-prompt.ts",
    "jobs/context-trim.ts",
    "jobs/handover-making.ts",
    "policies/context/guide.ts",
    "policies/context/restore-notes.ts",
    "world/facts/context-files.ts",
    "world/machine/handover.ts",
  ],
  /** The vocabularies that only prompts need, and the words of modes. */
  "activity.cjs": [
    "language/activity/activity.ts",
    "language/keywords/keywords.ts",
    "language/keywords/mentions.ts",
    "policies/modes/activity-line.ts",
    "policies/modes/keyword-skills.ts",
    "policies/modes/mode-words.ts",
  ],
  /** The rules of settings, for projects that have set one. */
  "settings-rules.cjs": ["state/settings/setting-rules.ts"],
};

/** By file, the functions that it exports. */
export async function exportedFunctions(options, files) {
  const names = await exportedNames(options, files);
  const contents = Object.entries(names).map(
    ([file, all], at) => `export { ${all.map((name) => `${name} as ${name}_${at}`).join(", ")} } from "./src/${file}";`,
  );
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: contents.join("\n"), resolveDir: options.absWorkingDir },
    write: false,
  });
  const module = { exports: {} };
  new Function("module", "exports", "require", outputFiles[0].text)(
    module,
    module.exports,
    createRequire(import.meta.url),
  );
  const functions = Object.entries(names).map(([file, all], at) => [
    file,
    all.filter((name) => typeof module.exports[`${name}_${at}`] === "function"),
  ]);
  return Object.fromEntries(functions);
}

async function exportedNames(options, files) {
  const { metafile } = await build({
    ...options,
    bundle: false,
    minify: false,
    define: {},
    mainFields: undefined,
    format: "esm",
    entryPoints: files.map((file) => `src/${file}`),
    outdir: "none",
    metafile: true,
    write: false,
  });
  const outputs = Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint.slice(4), exports]);
  return Object.fromEntries(outputs);
}

/** The bundle of one group: all functions that its files export. */
export function entryOf(files, functions, root) {
  const contents = files.map((file) => `export { ${functions[file].join(", ")} } from "./src/${file}";`).join("\n");
  return { stdin: { contents, resolveDir: root } };
}

const whenCalled = (name, bundle) => `export const ${name} = (...args) => require("./${bundle}").${name}(...args);`;
/** A long-lived process loads at once: later the file on the disk may be another version's. */
const atOnce = (name, bundle) => `const { ${name} } = require("./${bundle}"); export { ${name} };`;

/** Puts stand-ins in the place of a group's files. */
export function standIns(bundle, functions, { now = false } = {}) {
  return {
    name: `stand-ins for ${bundle}`,
    setup({ onLoad }) {
      for (const file of ON_DEMAND[bundle]) {
        const contents = functions[file].map((name) => (now ? atOnce : whenCalled)(name, bundle)).join("\n");
        onLoad({ filter: new RegExp(`/src/${file.replaceAll(".", "[.]")}$`) }, () => ({ contents, loader: "ts" }));
      }
    },
  };
}

/** Fails when a bundle of the hook holds a file that should be loaded on demand. */
export function mustNotHold(metafile, name) {
  const output = Object.entries(metafile.outputs).find(([path]) => basename(path) === name)?.[1];
  const parser = Object.keys(output?.inputs ?? {}).find((input) => /node_modules\/unbash\//.test(input));
  if (parser) throw new Error(`${name} holds the shell parser: something imports it past scripts/build/on-demand.mjs`);
}
