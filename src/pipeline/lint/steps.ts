/** Whether each step says enough to be done or decided. */
import { inline } from "../../lib/text.ts";
import { readCommand } from "../../reading/shell/walk/command.ts";
import type { Pipeline, Step } from "../definition.ts";
import type { Complaint } from "../problem.ts";

export function inSteps({ steps }: Pipeline): readonly Complaint[] {
  return steps.flatMap((step) => [...(step.type === "gate" ? inGate(step) : inWork(step)), ...inCommands(step)]);
}

function inGate({ id, checks, commands, requiresUser, gate }: Step): readonly Complaint[] {
  const path = `steps.${id}`;
  if (gate?.type === "human" && !requiresUser) return [{ rule: "gate-of-nobody", path, word: id }];
  const isOpen = checks.length === 0 && commands.length === 0 && !requiresUser;
  return isOpen ? [{ rule: "gate-of-nothing", path, word: id }] : [];
}

function inWork({ id, type, commands, description, prompt, skills, optional, batches }: Step): readonly Complaint[] {
  const path = `steps.${id}`;
  if (type === "automatic")
    return commands.length === 0 && !optional ? [{ rule: "nothing-to-run", path, word: id }] : [];
  const says = description !== "" || prompt !== null || skills.length + commands.length + batches.length > 0;
  return says ? [] : [{ rule: "nothing-to-do", path, word: id }];
}

/** The line is judged as text, so any place will do. */
const PLACE = { cwd: "/project", home: "/home" };
const SPLICED = /\$\{\{[^}]*\}\}/;

function inCommands({ id, commands, retry }: Step): readonly Complaint[] {
  const fix = retry.autoFixCommand;
  const all = [
    ...commands.map((line, at) => [`steps.${id}.commands.${at}`, line] as const),
    ...(fix === null ? [] : [[`steps.${id}.retry.auto_fix_command`, fix] as const]),
  ];
  const idle: readonly Complaint[] =
    fix !== null && !retry.autoFix ? [{ rule: "fix-without-auto", path: `steps.${id}.retry.auto_fix_command` }] : [];
  return [...idle, ...all.flatMap(([path, line]) => inLine(line, path))];
}

function inLine(line: string, path: string): readonly Complaint[] {
  const [spliced] = SPLICED.exec(line) ?? [];
  if (spliced !== undefined) return [{ rule: "spliced-value", path, word: inline(spliced, 60) }];
  const { invocations, unknown } = readCommand(line, PLACE).shell;
  const isBroken = unknown.includes("parse error") || unknown.includes("NUL byte") || invocations.length === 0;
  return isBroken ? [{ rule: "unreadable-command", path, word: inline(line, 60) }] : [];
}
