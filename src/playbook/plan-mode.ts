/** A plan that the host's plan mode produced, as a playbook. Plans there are free text, often without a single box. */
import { markOf } from "../lib/sha256.ts";
import { outlineOf } from "./outline.ts";
import type { Subtask } from "./playbook.ts";
import { readPlaybook } from "./read.ts";
import { writePlaybook } from "./write.ts";

export interface PlanModeFile {
  readonly name: string;
  readonly text: string;
}

const NAME_CHARS = 40;
const MARK_CHARS = 6;
const BOXES_MAX = 20;
const BOX_CHARS = 160;

/** A plan with steps stays as it is. The same plan always has the same name. */
export function planModeFile(plan: string): PlanModeFile {
  const { title, faults } = readPlaybook(plan);
  const slug = title
    .toLowerCase()
    .replace(/^plan[\s:-]*/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, NAME_CHARS);
  const name = `${slug || "plan"}-${markOf(plan).slice(0, MARK_CHARS)}`;
  return { name, text: faults.length === 0 ? plan : withBoxes(plan, title || "Plan") };
}

/** Each entry of a list becomes a box. The plan itself follows word for word. */
function withBoxes(plan: string, title: string): string {
  const { items } = outlineOf(plan);
  const listed = items.flatMap((item) =>
    item.kind === "prose" && item.listed && item.indent === 0 ? [item.words] : [],
  );
  const prose = items.flatMap((item) => (item.kind === "prose" && !item.listed ? [item.words] : []));
  const boxes = (listed.length > 0 ? listed : [prose[0] ?? title]).slice(0, BOXES_MAX).map(boxOf);
  const step = { id: "1", title: "As approved", line: 1, depends: [], scope: [], subtasks: boxes };
  const what = (prose[0] ?? title).slice(0, BOX_CHARS);
  const head = writePlaybook({ title, what, context: {}, done: [], steps: [step] });
  const fence = "`".repeat(Math.max(3, ...(plan.match(/`+/g) ?? []).map((run) => run.length + 1)));
  return `${head}\n${fence}text\n${plan.trimEnd()}\n${fence}\n`;
}

function boxOf(words: string, at: number): Subtask {
  const criterion = words.replace(/\s+/g, " ").slice(0, BOX_CHARS);
  return { id: `1.${at + 1}`, named: true, line: 1, mark: "open", criterion, proofs: [], depends: [] };
}
