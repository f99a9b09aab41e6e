/** Names for what the host can show over its own connection: causes of changes, and evidence as the state holds it. */
import type { Said } from "../playbook/verdict-form.ts";
import type { Change } from "../state/change.ts";
import type { Awaits } from "../state/session/awaiting.ts";
import type { CheckedPart, CheckResult } from "../state/session/checks.ts";
import { skillKey } from "../state/session/proof.ts";

/** Undefined where a connection cannot show the cause: a turn that was broken off. */
export function causeKey(awaits: Awaits): string | undefined {
  if ("call" in awaits) return `call ${awaits.call} ${awaits.mark ?? ""}`;
  if (awaits.from === "break") return undefined;
  return awaits.from === "agent" ? saidKey(awaits.agent ?? "", awaits.prompt) : promptKey(awaits.prompt);
}

export const promptKey = (mark: string): string => `prompt ${mark}`;
export const saidKey = (agent: string, mark: string): string => `said ${agent} ${mark}`;
export const approvalKey = (name: string): string => `approve ${name}`;
export const reviewKey = (type: string): string => `review ${type}`;
/** A word of a critic or reviewer on a step, or on the whole plan. */
export function verdictKey(of: string, agent: string, { verdict, step }: Pick<Said, "verdict" | "step">): string {
  return `verdict ${of} ${agent} ${verdict} ${step ?? ""}`;
}
export const planCheckKey = (path: string, files: string): string => `plan-check ${path} ${files}`;
export const readKey = (path: string): string => `read ${path}`;
export const skillSeenKey = (key: string): string => `skill ${key}`;

export const endedKey = (call: string): string => `ended ${call}`;
export const begunKey = (call: string, check: string): string => `begun ${call} ${check}`;

export function checkKey(call: string, { check, files }: Pick<CheckResult, "check" | "files">): string {
  return `check ${call} ${check} ${files}`;
}

/** A passed run on a part of the work tree. */
export function partKey(check: string, { files, covers }: Pick<CheckedPart, "files" | "covers">): string {
  return `part ${check} ${files} ${covers.join(" ")}`;
}

/** Evidence as the state will hold it. */
export function evidenceKeys(change: Change): readonly string[] {
  if (change.record === "check" && change.do === "end") {
    const { id = "", files, runs } = change;
    return runs.flatMap(({ check, outcome, covers }) => [
      ...(outcome === "passed" ? [checkKey(id, { check, files })] : []),
      ...(covers ? [partKey(check, { files, covers })] : []),
    ]);
  }
  if (change.record === "check" && change.do === "begin") {
    return change.runs.map(({ check }) => begunKey(change.id, check));
  }
  if (change.record === "playbook" && change.do === "check") return [planCheckKey(change.path, change.files)];
  if (change.record !== "proof") return [];
  switch (change.do) {
    case "skill":
      return [skillSeenKey(skillKey(change.name, change.agent))];
    case "read":
      return [readKey(change.path)];
    case "approve":
      return [approvalKey(change.name)];
    default:
      return [];
  }
}
