import { here } from "../app/project.ts";
import { own } from "../lib/keyed.ts";
import { policies as law } from "../policies/index.ts";
import { lawMarkdown } from "../views/law.ts";
import { rewritableText } from "../world/machine/host-file-writing.ts";
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
    const { settings, language } = here();
    const rows = law.map(({ id, on, floor, optIn, why, bound }) => ({
      id,
      on,
      floor: floor === true,
      enabled: floor === true || (own(settings.settings.policies, id) ?? (optIn ? "off" : "on")) === "on",
      bound: bound ?? null,
      why: why[language],
    }));
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
  const page = lawMarkdown(law);
  if (check === undefined) {
    process.stdout.write(page);
    return 0;
  }
  if (rewritableText(check) === page) return 0;
  process.stderr.write(`${check} is not current. Run: npx sekisho policies --markdown > ${check}\n`);
  return 2;
}
