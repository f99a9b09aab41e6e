import { here } from "../app/project.ts";
import { isPageCurrent, policiesHere, policiesPage } from "../app/queries/policies.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayJson, sayWords, terminalColumns, wrap } from "./print.ts";

export const policies = defineCommand({
  name: "policies",
  summary: "Lists the policies: what they watch, why, and whether they are on here.",
  options: {
    markdown: { type: "boolean", about: "print docs/policies.md" },
    check: { type: "string", hint: "FILE", about: "with --markdown: exit 2 if the file differs" },
    ...jsonOption,
  },
  run({ markdown, check, json }) {
    if (markdown) return printMarkdown(check);
    const rows = policiesHere(here());
    if (json) {
      sayJson(rows);
      return 0;
    }
    for (const { id, on, floor, enabled, why } of rows) {
      const state = floor ? paint.green("always on") : enabled ? paint.green("on") : paint.yellow("off");
      sayWords(`${paint.bold(id)}  ${state}  ${paint.dim(on.join(", "))}`, "  ");
      say(`  ${wrap(why, terminalColumns(), "  ")}`);
    }
    return 0;
  },
});

function printMarkdown(check: string | undefined): number {
  if (check === undefined) {
    process.stdout.write(policiesPage());
    return 0;
  }
  if (isPageCurrent(check)) return 0;
  process.stderr.write(`${check} is not current. Run: npx sekisho policies --markdown > ${check}\n`);
  return 2;
}
