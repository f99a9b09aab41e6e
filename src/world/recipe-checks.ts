/** Checks that are targets: of a makefile, of a justfile. */
import type { Check } from "../kernel/check.ts";
import { makeText } from "../kernel/script-entries.ts";
import type { CheckName } from "../state/check-names.ts";
import { makeSurroundings } from "./check-surroundings.ts";
import type { Tree } from "./project-tree.ts";

const TARGETS: readonly (readonly [CheckName, readonly string[]])[] = [
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

/** A target that is also the name of a file is up to date, and nothing runs. */
function isRun({ has }: Tree, text: string, target: string, tool: "make" | "just"): boolean {
  if (tool === "just" || !has(target)) return true;
  const phony = text.split("\n").filter((line) => line.startsWith(".PHONY"));
  return phony.some((line) => line.split(/[\s:]+/).includes(target));
}

/** A line behind `-` may fail without anybody being told. A justfile's lines are indented as people like. */
function definitionIn(text: string, target: string, tool: "make" | "just"): string {
  const rules = tool === "make" ? text : text.replace(/^[ \t]+(?=\S)/gm, "\t").replace(/^@(?=[\w-]+.*:)/gm, "");
  return makeText(rules, [target], (command, isIgnored) =>
    (isIgnored ? `{ ${command}\n} || true` : command).replaceAll("\n", " ; "),
  );
}
