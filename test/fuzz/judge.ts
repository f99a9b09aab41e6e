/** The verdict of the law's own reading on a line, without anything around it. */
import { operationOf } from "../../src/kernel/operation.ts";
import type { UnknownReason } from "../../src/kernel/shell-reading.ts";
import { destructionOf } from "../../src/policies/access/destruction.ts";
import { WRAPPINGS } from "./wrappings.ts";

const ground = { cwd: "/home/dev/project", home: "/home/dev", project: "/home/dev/project" };

export interface Judged {
  readonly verdict: "pass" | "ask" | "deny";
  readonly unknown: readonly UnknownReason[];
}

export function judgeLine(command: string): Judged {
  const operation = operationOf({ kind: "bash", name: "Bash", command, background: false }, ground);
  const [worst] = destructionOf(operation, ground);
  return { verdict: worst?.decision ?? "pass", unknown: operation.shell?.unknown ?? [] };
}

const STRICTNESS = { pass: 0, ask: 1, deny: 2 };

/** What a wrapping makes milder; a line that is no shell, or that is beyond the bounds, has nothing to compare. */
export function milderBy(line: string, { verdict, unknown }: Judged): string[] {
  if (verdict === "pass" || unknown.some((reason) => BEYOND.has(reason))) return [];
  return WRAPPINGS.flatMap(({ name, wrap }) => {
    const wrapped = wrap(line);
    if (wrapped === undefined) return [];
    const { verdict: found, unknown: reasons } = judgeLine(wrapped);
    // A here-document without an end takes the end of the wrapping with it: what is left is no shell, and runs nothing.
    if (line.includes("<<") && reasons.includes("parse error")) return [];
    return STRICTNESS[found] < STRICTNESS[verdict] ? [`${name}: ${verdict} became ${found}: ${wrapped}`] : [];
  });
}

const BEYOND: ReadonlySet<UnknownReason> = new Set<UnknownReason>([
  "parse error",
  "oversized",
  "too deep",
  "too many commands",
]);
