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
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
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
  // jsonc-parser's other half finds its parts only when it is not bundled.
  mainFields: ["module", "main"],
  logLevel: "warning",
  define: { __VERSION__: JSON.stringify(version), __REDUCER_HASH__: JSON.stringify(reducerHash()) },
};

/**
 * What only shell commands need, most of the code, is a file of its own that the others share and load when they meet one;
 * with it what an ordinary event never comes to.
 */
const SHELL_PARTS = {
  "format-after.ts": ["withFormat"],
  "hosts/claude-code/arming.ts": ["arming"],
  "kernel/answers.ts": ["answersByExitCode"],
  "kernel/check-run.ts": ["checkRunsIn"],
  "kernel/shape.ts": ["shapeOf"],
  "kernel/shell-command.ts": ["readCommand"],
  "kernel/snapshot-note.ts": ["snapshotNote", "sizeWords", "reasonWords"],
  "kernel/told-results.ts": ["toldResults"],
  "policies/proof/owed-words.ts": ["whatIsOwed", "howTo", "uncounted"],
  "world/branches.ts": ["branches"],
  "world/checks.ts": ["checksOf"],
  "world/tree-digest.ts": ["treeDigest"],
  "world/scripts.ts": ["scriptsOf"],
  "world/skills.ts": ["agentsOf", "skillsOf"],
  "world/staged.ts": ["stagedWhereMerged"],
  "policies/access/destruction.ts": ["destructionOf"],
  "policies/access/losses.ts": ["lossesOf"],
  "policies/access/own-command.ts": [
    ...["reservedVerb", "endsUs", "handsOver", "patchesUs", "passesOnVerb", "couldWrite", "writesToUs"],
    ...["namesUsUnread", "namesUs"],
  ],
  "policies/access/script-danger.ts": ["scriptDangers"],
  "policies/access/secret-line.ts": ["leaksOf", "leakingScript"],
  "policies/access/script-tampering.ts": ["onScripts"],
  "policies/access/stranger.ts": ["strangerOver"],
  "policies/access/tampering.ts": ["onConfigChange", "onPlace", "onShell", "onStranger", "keepKey", "refuseOwn"],
  "policies/access/workaround.ts": ["wayAround"],
  "policies/access/stance-refusal.ts": ["outsideStance"],
  "policies/modes/tool-tips.ts": ["withTip"],
  "policies/trust/failures.ts": ["onFailures"],
  "policies/proof/evidence-gate.ts": ["onChange"],
  "policies/proof/shown.ts": ["attempted", "reviewed", "shownBy", "skillShown", "spoken"],
  "policies/quality/failed-edits.ts": ["failedEdits", "adviceOn"],
  "policies/with-scripts.ts": ["withScripts"],
  "policies/quality/test-ruling.ts": ["removalRuling", "weakeningRuling", "generatedRuling"],
  "policies/repository/branch-change.ts": ["branchChange", "arrivesAt"],
  "policies/repository/merging.ts": ["mergesIn"],
  "policies/repository/publication.ts": ["publicationOf", "publicationByTool"],
  "policies/repository/push.ts": ["pushOf"],
};

/** At once: whoever lives long must not meet another version's in its place later. */
const atOnce = (name, bundle) => `const { ${name} } = require("./${bundle}"); export { ${name} };`;
const whenCalled = (name, bundle) => `export const ${name} = (...args) => require("./${bundle}").${name}(...args);`;

/** In place of these files their functions stand, and those load the bundle that has them. */
function apart(bundle, parts, standIn = whenCalled) {
  return {
    name: `${bundle} apart`,
    setup({ onLoad }) {
      for (const [file, names] of Object.entries(parts)) {
        const contents = names.map((name) => standIn(name, bundle)).join("\n");
        onLoad({ filter: new RegExp(`/src/${file.replace(".", "[.]")}$`) }, () => ({ contents, loader: "ts" }));
      }
    },
  };
}

/** The parser has a decoder ready for texts that hardly any command has; making one costs a fresh process 0.4 ms. */
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

/** What sessions begin with and what is done before compaction: asked for where somebody has switched it on. */
const CONTEXT_PARTS = {
  "hosts/claude-code/transcript-prompt.ts": ["readPrompt"],
  "policies/modes/restore-notes.ts": ["restoreNotes"],
  "policies/proof/guide.ts": ["guide"],
  "world/context-files.ts": ["contextFiles"],
  "world/context-trim.ts": ["trimContext"],
  "world/handover-making.ts": ["handoverNow"],
  "world/handover.ts": ["handoverOf", "writeHandover"],
};
const contextApart = apart("context.cjs", CONTEXT_PARTS);

/** What each setting may be: asked for only where somebody has set one. */
const RULES = ["checkSettings", "gradedValues", "isLooser", "withValues"];
const rulesApart = apart("settings-rules.cjs", { "state/setting-rules.ts": RULES });

/** What a prompt asks for, and what modes say: vocabularies that only prompts need, and words that few turns end with. */
const ACTIVITY_PARTS = {
  "kernel/activity.ts": ["activityOf", "explicitActivity"],
  "kernel/keywords.ts": ["keywordsIn"],
  "policies/modes/keyword-skills.ts": ["keywordNotes"],
  "policies/modes/mode-words.ts": [
    ...["planWords", "planFix", "guessedPlanFix", "planLost", "planLostFix", "promiseWords", "promiseFix"],
    ...["qaWords", "qaFix", "qaBlind", "qaBlindFix", "stuckWords", "stuckFix"],
  ],
  "policies/modes/activity-line.ts": ["activityLine"],
};
const activityApart = apart("activity.cjs", ACTIVITY_PARTS);

const shellPart = {
  plugins: [decoderWhenUsed],
  stdin: {
    contents: Object.entries(SHELL_PARTS)
      .map(([file, names]) => `export { ${names.join(", ")} } from "./src/${file}";`)
      .join(""),
    resolveDir: root,
  },
};

/** Where facts are looked up; of those that nobody in a bundle asks for only the name is built in. */
const FACT_PARTS = {
  "hosts/claude-code/transcript.ts": [
    ["readTranscriptLine", "transcriptOfAgent"],
    ["transcript", "lateTranscripts"],
  ],
  "world/castaway.ts": [["adopterOf"], ["castaway"]],
  "world/classifier.ts": [["classifiedBy"], ["classified"]],
  "world/context-use.ts": [["contextUse"], ["contextUse"]],
  "world/host-settings.ts": [["hostSettings"], ["hostSettings"]],
  "world/left-behind.ts": [["leftBehind"], ["leftBehind"]],
  "world/linters.ts": [["linters"], ["linters"]],
  "world/orphans.ts": [
    ["orphansOf", "modesTakenUp"],
    ["orphans", "modesTakenUp"],
  ],
  "world/protected-files.ts": [["protectedFiles"], ["protectedFiles"]],
  "world/reached.ts": [["reachedPaths"], ["reached"]],
  "world/skills.ts": [
    ["skillsOf", "agentsOf"],
    ["skills", "agents"],
  ],
  "world/standing.ts": [["standingOf"], ["standing"]],
  "world/standing-text.ts": [["standingText"], ["standingText"]],
  "world/transcript.ts": [
    ["transcriptOf", "lateTranscripts"],
    ["transcript", "lateTranscripts"],
  ],
  "world/transcript-tail.ts": [["transcriptTail"], ["toldResults"]],
};
const missing = (name) => `export const ${name} = () => { throw new Error("this bundle does not look that up"); };`;

const lane = {
  entryPoints: ["src/plain-lane.ts"],
  external: ["./shell.cjs", "./settings-rules.cjs", "./context.cjs", "./activity.cjs"],
};

/** Of a policy that no event of a bundle concerns only the nameplate is built in: asked all the same, it fails, shut. */
function withoutOthers(events) {
  return {
    name: "without-others",
    setup({ onLoad }) {
      const listens = ({ on }) => on.some((name) => events.includes(name));
      const needs = new Set(policies.filter(listens).flatMap((policy) => policy.needs));
      for (const [file, [names, facts]] of Object.entries(FACT_PARTS)) {
        if (facts.some((fact) => needs.has(fact))) continue;
        const contents = names.map(missing).join("\n");
        onLoad({ filter: new RegExp(`/src/${file.replace(".", "[.]")}$`) }, () => ({ contents, loader: "ts" }));
      }
      for (const policy of policies.filter((one) => !listens(one))) {
        const check = () => {
          throw new Error("this bundle does not have the policy");
        };
        // Asked all the same it fails, and then it is the failure that is told.
        const plate = { ...policy, needs: [], applies: undefined, examples: [], why: { en: "", ja: "" } };
        const name = policy.id.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
        onLoad({ filter: new RegExp(`/src/policies/\\w+/${policy.id}[.]ts$`) }, () => ({
          contents: `export const ${name} = { ...${JSON.stringify(plate)}, check: ${check} };`,
          loader: "ts",
        }));
      }
    },
  };
}

/** They are for readers and tests; the law does not need them. */
const withoutExamples = {
  name: "without-examples",
  setup({ onLoad }) {
    const ids = policies.map(({ id }) => id).join("|");
    onLoad({ filter: new RegExp(`/src/policies/\\w+/(?:${ids})[.]ts$`) }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const contents = source
        .replace(/\n {2}examples: \[\n[\s\S]*?\n {2}\],\n/, "\n  examples: [],\n")
        .replace(/\n {2}get examples\(\)[^{]*\{\n[\s\S]*?\n {2}\},\n/, "\n  examples: [],\n");
      if (contents === source) throw new Error(`${path} has no examples where they are expected`);
      return { contents, loader: "ts" };
    });
  },
};

const policies = await law();

/** As the sources have it; they are TypeScript, so they are bundled first. */
async function law() {
  const { outputFiles } = await build({
    ...common,
    stdin: { contents: `export { policies } from "./src/policies/index.ts";`, resolveDir: root },
    write: false,
  });
  const module = { exports: {} };
  new Function("module", "exports", "require", outputFiles[0].text)(
    module,
    module.exports,
    createRequire(import.meta.url),
  );
  return module.exports.policies;
}

/** One law in three sizes, by what the event needs of it: every byte is loaded anew at every event of the plain lane. */
const bundles = {
  "hook.cjs": {
    ...lane,
    plugins: [apart("shell.cjs", SHELL_PARTS), rulesApart, contextApart, activityApart, withoutExamples],
  },
  "hook-gate.cjs": {
    ...lane,
    plugins: [
      apart("shell.cjs", SHELL_PARTS),
      rulesApart,
      contextApart,
      activityApart,
      withoutOthers(["PreToolUse"]),
      withoutExamples,
    ],
  },
  "hook-after.cjs": {
    ...lane,
    plugins: [
      apart("shell.cjs", SHELL_PARTS),
      rulesApart,
      contextApart,
      activityApart,
      withoutOthers(["PostToolUse", "PostToolUseFailure", "PostToolBatch"]),
      withoutExamples,
    ],
  },
  "shell.cjs": shellPart,
  "context.cjs": {
    stdin: {
      contents: Object.entries(CONTEXT_PARTS)
        .map(([file, names]) => `export { ${names.join(", ")} } from "./src/${file}";`)
        .join(""),
      resolveDir: root,
    },
  },
  "snapshot.cjs": { entryPoints: ["src/undo/index.ts"] },
  "settings-rules.cjs": {
    stdin: { contents: `export { ${RULES.join(", ")} } from "./src/state/setting-rules.ts";`, resolveDir: root },
  },
  "activity.cjs": {
    charset: "utf8",
    stdin: {
      contents: Object.entries(ACTIVITY_PARTS)
        .map(([file, names]) => `export { ${names.join(", ")} } from "./src/${file}";`)
        .join(""),
      resolveDir: root,
    },
  },
  "settings-yaml.cjs": { entryPoints: ["src/store/settings-yaml.ts"] },
};

/** Built when the law is: they know it by its content. */
const knowing = (hashes) => {
  const build = createHash("sha256").update(hashes["hook.cjs"]).update(hashes["shell.cjs"]).digest("hex");
  const define = { ...common.define, __BUILD__: JSON.stringify(build.slice(0, 12)) };
  return {
    "gatehouse.cjs": {
      entryPoints: ["src/gatehouse/index.ts"],
      charset: "utf8",
      external: ["./shell.cjs"],
      plugins: [apart("shell.cjs", SHELL_PARTS, atOnce), withoutExamples],
      define,
    },
    "watch.cjs": { entryPoints: ["src/gatehouse/watch.ts"], external: ["./fall-back.cjs"], define },
    "fall-back.cjs": { entryPoints: ["src/gatehouse/fall-back.ts"], define },
    "cli.cjs": {
      entryPoints: ["src/cli/index.ts"],
      charset: "utf8",
      external: ["./gatehouse.cjs", "./shell.cjs"],
      plugins: [apart("shell.cjs", SHELL_PARTS)],
      define,
    },
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
  // The parser is a third of the reading of commands, and every event of the plain lane would load it.
  if (/[/]hook[^/]*$/.test(file) && content.includes("CommandExpansion"))
    throw new Error(`${file} has the shell parser in it: something imports it past SHELL_PARTS`);
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
removeLeftOvers(join(root, "dist"));
const fresh = mkdtempSync(join(root, "dist", ".build-"));
try {
  await buildAll(bundles, fresh);
  const hashes = Object.fromEntries(
    Object.keys(bundles)
      .filter((name) => name.startsWith("hook") || name === "shell.cjs")
      .map((name) => [name, asciiSha256(join(fresh, name))]),
  );
  const rest = knowing(hashes);
  await buildAll(rest, fresh);
  chmodSync(join(fresh, "sekisho.cjs"), 0o755);
  const files = [...Object.keys(bundles), ...Object.keys(rest)];
  writeManifest(fresh, files);
  // Each file changes in one step, the launcher last: hooks of running sessions may be using the old ones this moment.
  for (const file of ["manifest.json", ...files]) renameSync(join(fresh, file), join(root, "dist", file));
  removeOthers(join(root, "dist"), files);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
linkIntoCheckout();
copyIntoPlugin();

/** Of a build that was killed: it would be packed with the program. One that goes on beside us is younger. */
function removeLeftOvers(directory) {
  const isOld = (name) => Date.now() - statSync(join(directory, name)).mtimeMs > 600_000;
  for (const name of readdirSync(directory).filter((one) => one.startsWith(".build-")))
    if (isOld(name)) rmSync(join(directory, name), { recursive: true, force: true });
}

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
  // Its hooks are those of the plain lane.
  const fastLane = ["gatehouse.cjs", "watch.cjs", "fall-back.cjs"];
  const files = readdirSync(from).filter((name) => name.endsWith(".cjs") && !fastLane.includes(name));
  for (const file of files) {
    const temporary = join(to, `.${file}.${process.pid}`);
    copyFileSync(join(from, file), temporary);
    renameSync(temporary, join(to, file));
  }
  removeOthers(to, files);
}

/** What an earlier build made and this one does not. */
function removeOthers(directory, files) {
  for (const name of readdirSync(directory)) {
    if (name.endsWith(".cjs") && !files.includes(name)) rmSync(join(directory, name));
  }
}
