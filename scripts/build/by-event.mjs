/** For the hook: `src/policies/by-event.ts` with a list for each event, so that a policy loads only for its own events. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

export async function policiesByEvent(options) {
  const policies = await tableOf(options);
  const index = readFileSync(join(options.absWorkingDir, "src/policies/index.ts"), "utf8");
  const files = new Map(
    [...index.matchAll(/^import \{ (\w+) \} from "[.](\/[^"]+)";$/gm)].map(([, name, at]) => [at, name]),
  );
  const nameOf = ({ id }) => [...files].find(([at]) => at.endsWith(`/${id}.ts`))[1];
  const events = [...new Set(policies.flatMap(({ on }) => on))];
  // A policy whose feature is not in use is not loaded either.
  const listed = (policy) => (policy.only ? `...(is("${policy.only}") ? [${nameOf(policy)}] : [])` : nameOf(policy));
  const listening = (event) => policies.filter(({ on }) => on.includes(event)).map(listed);
  const ids = (some) => JSON.stringify(some.map(({ id }) => id).join(" "));
  const contents = `${[...files].map(([at, name]) => `import { ${name} } from ".${at}";`).join("\n")}
import { CONDITIONS } from "../kernel/conditions.ts";
export function policiesOn(name, settings) {
  const is = (only) => settings === undefined || CONDITIONS[only](settings);
  switch (name) {
${events.map((event) => `case "${event}": return [${listening(event).join(", ")}];`).join("\n")}
    default: return [];
  }
}
export function lawIds() {
  return { policyIds: ${ids(policies)}.split(" "), floorIds: ${ids(policies.filter(({ floor }) => floor))}.split(" ") };
}`;
  return {
    name: "policies-by-event",
    setup({ onLoad }) {
      onLoad({ filter: /[/]src[/]policies[/]by-event[.]ts$/ }, () => ({ contents, loader: "ts" }));
    },
  };
}

/** The policies themselves, as the program has them. */
async function tableOf(options) {
  const { outputFiles } = await build({ ...options, entryPoints: ["src/policies/index.ts"], write: false });
  const module = { exports: {} };
  const run = new Function("module", "exports", "require", outputFiles[0].text);
  run(module, module.exports, createRequire(import.meta.url));
  return module.exports.policies;
}
