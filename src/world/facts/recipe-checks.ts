/** Checks that are makefile targets or justfile recipes. */
import type { Check } from "../../evidence/checks/check.ts";
import { makeText } from "../../reading/scripts/entries.ts";
import type { CheckName } from "../../state/check-names.ts";
import type { Tree } from "../machine/project-tree.ts";
import { makeSurroundings } from "./check-surroundings.ts";

/** What a task is called that is a check. */
export const TARGETS: readonly (readonly [CheckName, readonly string[]])[] = [
  ["test", ["test", "check"]],
  ["lint", ["lint"]],
  ["typecheck", ["typecheck", "type-check", "types"]],
  ["build", ["build"]],
  ["security", ["security", "audit"]],
];

export function recipeChecks(tree: Tree): readonly Check[] {
  return [
    ...targetsIn(tree, ["GNUmakefile", "makefile", "Makefile"], "make"),
    ...targetsIn(tree, ["justfile", "Justfile", ".justfile"], "just"),
  ];
}

function targetsIn(tree: Tree, files: readonly string[], tool: "make" | "just"): readonly Check[] {
  const source = files.find((file) => tree.text(file) !== undefined);
  const text = source === undefined ? undefined : tree.text(source);
  if (source === undefined || text === undefined) return [];
  return TARGETS.flatMap(([name, spellings]) => {
    for (const target of spellings) {
      const definition = isRun(tree, text, target, tool) ? definitionIn(text, target, tool) : "";
      if (definition === "") continue;
      const around = makeSurroundings(tree, text);
      return [{ name, command: `${tool} ${target}`, target, definition, source, ...(around !== "" && { around }) }];
    }
    return [];
  });
}

/** make considers a target that is also a file up to date and runs nothing, unless it is phony. */
function isRun({ has }: Tree, text: string, target: string, tool: "make" | "just"): boolean {
  if (tool === "just" || !has(target)) return true;
  const phony = text.split("\n").filter((line) => line.startsWith(".PHONY"));
  return phony.some((line) => line.split(/[\s:]+/).includes(target));
}

/** A recipe line with `-` may fail silently, so it counts as `|| true`. A justfile allows any indentation. */
function definitionIn(text: string, target: string, tool: "make" | "just"): string {
  const rules = tool === "make" ? text : text.replace(/^[ \t]+(?=\S)/gm, "\t").replace(/^@(?=[\w-]+.*:)/gm, "");
  return makeText(rules, [target], (command, isIgnored) =>
    (isIgnored ? `{ ${command}\n} || true` : command).replaceAll("\n", " ; "),
  );
}
