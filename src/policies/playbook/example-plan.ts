/** A plan at work, for examples and tests. */
import type { PlanFound } from "../../kernel/facts.ts";
import { digestOf } from "../../playbook/identity.ts";
import { limitsOf } from "../../playbook/limits.ts";
import { readPlaybook } from "../../playbook/read.ts";
import { PLACE } from "../example.ts";

export const EXAMPLE_PATH = ".sekisho/playbooks/button.md";

export const EXAMPLE_TEXT = `# Button

What: A button
Why: People ask for it
Done when:
- The page has a button

## 1 Component

Scope: src/**
- [ ] 1.1 src/button.ts exports a button
  Run: \`npm test\`
  Expected: exit 0

## 2 Page

Depends on: 1
- [ ] 2.1 The page shows the button
  Run: \`npm run page\`
`;

export function examplePlan(more: Partial<NonNullable<PlanFound["active"]>> = {}, text = EXAMPLE_TEXT): PlanFound {
  const playbook = readPlaybook(text);
  const approved = { path: EXAMPLE_PATH, standing: "approved", changed: [], digest: digestOf(playbook) } as const;
  const limits = limitsOf(playbook, more.work);
  return { root: PLACE, active: { ...approved, playbook, ...(limits && { limits }), ...more }, drafts: [], named: [] };
}
