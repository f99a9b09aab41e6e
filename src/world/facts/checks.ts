/** Finds the checks of a project from its files, without running anything. */
import type { Check } from "../../evidence/checks/check.ts";
import { checksNothing, packageDefinition } from "../../evidence/checks/definition.ts";
import { scriptCall } from "../../evidence/checks/spelling.ts";
import { scriptsIn } from "../../reading/scripts/entries.ts";
import { CHECKS, type CheckName } from "../../state/check-names.ts";
import type { NamedChecks } from "../../state/session/checks.ts";
import { type Tree, treeAt } from "../machine/project-tree.ts";
import { RUNS_SCRIPTS, withSurroundings } from "./check-surroundings.ts";
import { languageChecks } from "./language-checks.ts";
import { recipeChecks } from "./recipe-checks.ts";
import { taskChecks } from "./task-checks.ts";

/** Configured commands win; then those that variables name, then package scripts, then the tasks of make, just and others, then the defaults of the language. */
export function checksOf(
  root: string,
  configured: readonly string[],
  home?: string,
  named: NamedChecks = {},
): readonly Check[] {
  const tree = treeAt(root);
  const around = home === undefined ? undefined : treeAt(home);
  const wanted = new Map([...namedEntries(named, tree), ...configured.map(entryOf)]);
  const found = [...packageChecks(tree), ...recipeChecks(tree), ...taskChecks(tree), ...languageChecks(tree)];
  return CHECKS.flatMap((name) => {
    const command = wanted.get(name);
    if (command === "") return [];
    const check =
      command === undefined
        ? found.find((one) => one.name === name && !checksNothing(one))
        : configuredCheck(name, command, tree);
    return check ? [withSurroundings(check, tree, around)] : [];
  });
}

/** Commands that variables name; one that checks nothing is left out. */
function namedEntries(named: NamedChecks, tree: Tree): readonly (readonly [string, string])[] {
  return CHECKS.flatMap((name) => {
    const command = named[name]?.trim() ?? "";
    const isUsed = command !== "" && !checksNothing(configuredCheck(name, command, tree));
    return isUsed ? [[name, command] as const] : [];
  });
}

/** `test=npm run test:unit`. */
function entryOf(entry: string): readonly [string, string] {
  const at = entry.indexOf("=");
  return [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
}

function configuredCheck(name: CheckName, command: string, tree: Tree): Check {
  const call = /^[\w.: -]+$/.test(command) ? scriptCall(command.split(/ +/)) : undefined;
  const definition = call && call.own.length + call.passed.length === 0 ? scriptText(tree, call.script) : "";
  if (definition === "" || !call) return { name, command, definition: command, source: "settings" };
  return { name, command, script: call.script, definition, source: "settings" };
}

const SCRIPTS: readonly (readonly [CheckName, readonly string[]])[] = [
  ["test", ["test"]],
  ["lint", ["lint"]],
  ["typecheck", ["typecheck", "type-check", "types", "check-types", "tsc"]],
  ["build", ["build"]],
  ["security", ["security", "audit"]],
];

function packageChecks(tree: Tree): readonly Check[] {
  const text = tree.text("package.json");
  if (text === undefined) return [];
  const scripts = scriptsIn(text);
  const manager = managerOf(tree);
  return SCRIPTS.flatMap(([name, spellings]) => {
    const script = spellings.find((one) => typeof scripts[one] === "string" && Object.hasOwn(scripts, one));
    if (script === undefined) return [];
    const command = script === "test" && manager !== "bun" ? `${manager} test` : `${manager} run ${script}`;
    return [{ name, command, script, definition: scriptText(tree, script), source: "package.json" }];
  });
}

/** Includes the `.npmrc` lines about running scripts: `script-shell=/bin/true` makes every script pass. */
function scriptText(tree: Tree, script: string): string {
  const definition = packageDefinition(tree.text("package.json") ?? "", script);
  const told = (tree.text(".npmrc") ?? "").split(/\r?\n/).filter((line) => RUNS_SCRIPTS.test(line));
  return definition === "" || told.length === 0 ? definition : `${definition}\n# .npmrc\n${told.join("\n")}`;
}

function managerOf({ has }: Tree): string {
  if (has("pnpm-lock.yaml")) return "pnpm";
  if (has("yarn.lock")) return "yarn";
  return has("bun.lock", "bun.lockb") ? "bun" : "npm";
}
