/** Which boxes of a plan a command line has proven: `sekisho playbook check` ran their commands, and all passed. */
import { planCheckIn } from "../../evidence/checks/plan-check.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Places, PlanFound } from "../../kernel/facts.ts";
import { boxPart } from "../../playbook/identity.ts";
import { commandFaults } from "../../playbook/lint/command.ts";
import type { PlaybookChange } from "../../state/playbooks.ts";

const PASSED_MAX = 200;

/** Only for the plan at work, and only if the line's exit code is that of the check. */
export function checkedIn(
  { tool, cwd, failed, background, answered }: HookEvent<"PostToolUse">,
  { root, active }: PlanFound,
  files: string,
  { home }: Pick<Places, "home">,
): readonly PlaybookChange[] {
  if (tool.kind !== "bash" || failed || background || answered || !active?.playbook) return [];
  const check = planCheckIn(tool.command, { cwd, home, root });
  if (!check || (check.name !== undefined && !isNamed(check.name, active.path))) return [];
  const steps = active.playbook.steps.filter(({ id }) => check.step === undefined || check.step === id);
  const boxes = steps.flatMap(({ subtasks }) => subtasks).filter(({ proofs }) => proofs.length > 0);
  const sound = boxes.filter(({ proofs }) => proofs.every((proof) => commandFaults(proof).length === 0));
  const kept = active.checked?.files === files ? active.checked.passed : [];
  const passed = [...new Set([...kept, ...sound.map(boxPart)])].slice(-PASSED_MAX);
  return passed.length === 0 ? [] : [{ record: "playbook", do: "check", root, path: active.path, files, passed }];
}

function isNamed(name: string, path: string): boolean {
  return path === name || path.endsWith(`/${name}`) || path.endsWith(`/${name}.md`);
}
