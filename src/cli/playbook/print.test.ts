import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readPlaybook } from "../../playbook/read.ts";
import { lintView, playbookView } from "../../views/playbook.ts";
import { width } from "../print.ts";
import { printChecked, printFindings, printPlaybook, printSize, progressIn } from "./print.ts";

const TEXT = `# A shared button component that every page of the shop can use without its own style sheet

What: one shared button component that replaces the three copies in the pages of the shop, the cart and the desk
Why: three pages duplicate it

## 1 The component with its label, its three sizes and the two colours of the shop
Depends on: 2
- [x] 1.1 The button is shown nicely with the label that it is given, in all three sizes and both colours
  Run: \`npm test -- --reporter=verbose --testNamePattern="the button shows its label" || true\`
  Expected: everything is as it should be
## 2 共通ボタン部品を三つの画面すべてで使えるようにして古い部品を消した後の見た目を確かめるステップ
- [ ] 2.1 三つの画面が同じ部品を使っていて古い部品への参照が一つも残っていないことが適切に確かめられる
status: done
## 3 Nothing here
`;

let lines: string[];
const before = { isTTY: process.stdout.isTTY, columns: process.stdout.columns };

beforeEach(() => {
  lines = [];
  Object.assign(process.stdout, { isTTY: true, columns: 80 });
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    lines.push(...String(text).split("\n"));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(process.stdout, before);
});

it.each(["en", "ja"] as const)("every line about a plan fits into 80 columns (%s)", (language) => {
  const file = { path: ".sekisho/playbooks/a-plan-with-a-long-name.md", text: TEXT, playbook: readPlaybook(TEXT) };
  const { steps } = file.playbook;
  const said = { at: 1, of: "critic", step: "1", verdict: "PASS", agent: "a", plan: "", files: "" } as const;
  const verdicts = [{ ...said, covered: 11, read: 3, ran: 1 }];
  const work = { at: 1, base: "", steps: {}, verdicts, judged: [] };
  printPlaybook(
    playbookView(file, { is: "changed", changed: ["head", "1"] }, () => false, { work, language }),
    language,
  );
  printFindings(file.path, lintView(file, language, { strict: true }), language);
  const files = ["a", "b", "c", "d"].map((name) => `packages/shop/src/components/${name}/button-with-a-label.ts`);
  const weighty = files.map((path) => ({ path, why: "schema" }) as const);
  printSize({ tier: "L", files, lines: 120, weighty }, language);
  const [box] = steps[0]?.subtasks ?? [];
  const detail = `exit code 3, expected exit 0: ${"some words of a failing test / ".repeat(5)}`;
  const result = { id: "1.1", criterion: "", outcome: "failed", detail, ms: 1, as: null } as const;
  const progress = progressIn(language);
  if (box) progress.begins(box, { at: 1, of: 2 });
  progress.ends(result);
  printChecked({ path: file.path, results: [result], isGood: false, hasChanged: true }, language);
  expect(lines.length).toBeGreaterThan(50);
  expect(lines.filter((line) => width(line) > 80)).toEqual([]);
  const all = lines.join("").replace(/\s+/g, "");
  expect(all).toContain(language === "ja" ? "ステップ3にはボックスがない" : "step3hasnobox");
});
