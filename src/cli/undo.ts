import { restore } from "../app/actions/undo.ts";
import { agentHere } from "../app/admission.ts";
import { here } from "../app/project.ts";
import { planView, restorableHere, snapshotsHere } from "../app/queries/undo.ts";
import { inline } from "../lib/text.ts";
import type { PlannedFile } from "../views/undo.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { say } from "./print.ts";
import { isAttended, isConfirmed } from "./tty.ts";
import { printPlan, printReport, printRows } from "./undo-print.ts";

export const undo = defineCommand({
  name: "undo",
  summary: "Brings back what a command of the agent deleted or wrote over.",
  words: "[id]",
  wordsMax: 1,
  options: {
    list: { type: "boolean", about: "show what can be brought back" },
    "dry-run": { type: "boolean", about: "show what would come back, and change nothing" },
    force: { type: "boolean", about: "also where something newer stands; that is kept first (people only)" },
    ...jsonOption,
  },
  examples: ["sekisho undo", "sekisho undo --list", "sekisho undo mrk2x91a2q7f --dry-run"],
  door: ({ force }) => (force ? { verb: "undo --force", need: "authority" } : undefined),
  async run({ list, json = false, "dry-run": dry = false, force = false }, [id]) {
    const place = here();
    if (list) {
      printRows(snapshotsHere(place), json);
      return 0;
    }
    const restorable = restorableHere(place, id);
    const plan = planView(restorable);
    if (dry) {
      printPlan(plan, json);
      return 0;
    }
    const inTheWay = plan.files.filter(({ standing }) => standing === "newer");
    const replace = force || (inTheWay.length > 0 && !json && (await mayReplace(inTheWay)));
    const report = restore(place, restorable, { replace });
    printReport(plan.row, report, json);
    return report.isWhole ? 0 : 2;
  },
});

/** A terminal does not prove a person, because an agent can open one. */
async function mayReplace(files: readonly PlannedFile[]): Promise<boolean> {
  if (!isAttended() || agentHere() !== undefined) return false;
  say("Something newer stands here now:");
  for (const { path } of files.slice(0, 10)) say(`  ${inline(path, 100)}`);
  return isConfirmed(`Replace ${files.length === 1 ? "it" : `these ${files.length}`}? What is there is kept first.`);
}
