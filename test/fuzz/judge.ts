/** The verdict on a command line from the parser and the destruction rules alone. */

import { destructionOf } from "../../src/policies/access/danger/destruction.ts";
import { operationOf } from "../../src/reading/operation/operation.ts";
import type { UnknownReason } from "../../src/reading/shell/parse/reading.ts";
import { carriers, WRAPPINGS } from "./wrappings.ts";

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

/** The wrappings that loosen the verdict; a line that is not valid shell, or is over the limits, is skipped. */
export function milderBy(line: string, { verdict, unknown }: Judged): string[] {
  if (verdict === "pass" || unknown.some((reason) => BEYOND.has(reason))) return [];
  const rows = verdict === "deny" ? carriers(line) : [];
  return [...WRAPPINGS, ...rows].flatMap(({ name, wrap }) => {
    const wrapped = wrap(line);
    if (wrapped === undefined) return [];
    const { verdict: found, unknown: reasons } = judgeLine(wrapped);
    // An unterminated here-document swallows the end of the wrapping: the result is not valid shell and runs nothing.
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
