/** The readers of prompts from the sources. They are TypeScript, so they are bundled first. */
import { build } from "esbuild";
import { root } from "./rows.mjs";

const SOURCE = `
  export { keywordsIn } from "./src/language/keywords/keywords.ts";
  export { modesMentioned } from "./src/language/keywords/mentions.ts";
  export { activityOf } from "./src/language/activity/activity.ts";
`;

export async function reader() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: SOURCE, resolveDir: root },
    bundle: true,
    format: "cjs",
    platform: "node",
    write: false,
  });
  const module = { exports: {} };
  new Function("module", "exports", outputFiles[0].text)(module, module.exports);
  return module.exports;
}
