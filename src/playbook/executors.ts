/** Who works on a step: an executor by name, or the one who has its role. */
import type { StepLimits } from "../state/step-limits.ts";
import type { Playbook, Step } from "./playbook.ts";

const DEFAULTS: Readonly<Record<Stack, Readonly<Record<string, string>>>> = {
  A: { orchestrator: "claudecode", worker: "claudecode", reviewer: "claudecode", human: "user" },
  B: { orchestrator: "claudecode", worker: "codex", reviewer: "claudecode", human: "user" },
  C: { orchestrator: "claudecode", worker: "codex", reviewer: "coderabbit", human: "user" },
};

const FORBIDDEN: Readonly<Record<Stack, readonly string[]>> = { A: ["codex", "coderabbit"], B: ["coderabbit"], C: [] };

type Stack = "A" | "B" | "C";

export interface Crew {
  readonly stack: Stack;
  /** `role=executor`. */
  readonly roles: readonly string[];
}

export interface Executor {
  readonly name: string;
  /** The stack has no such executor. */
  readonly isForbidden: boolean;
  /** Somebody other than the agent: its code is not the agent's to write. */
  readonly isOther: boolean;
}

/** What the plan says of who works on a step; the settings say the rest. */
export type Named = Pick<StepLimits, "named" | "given">;

export function namedFor(step: Step, playbook: Pick<Playbook, "blocks">): Named {
  const named = namedIn(step);
  if (named === undefined) return {};
  const given = rolesIn(playbook)[named];
  return { named, ...(given !== undefined && { given }) };
}

/** Undefined where nobody is named. The plan's own roles come before those of the settings, those before the defaults. */
export function executorOf({ named, given }: Named, { stack, roles }: Crew): Executor | undefined {
  if (named === undefined) return undefined;
  const set = Object.fromEntries(roles.map((entry) => entry.split("=", 2) as [string, string]));
  const name = given ?? set[named] ?? DEFAULTS[stack][named] ?? named;
  return { name, isForbidden: FORBIDDEN[stack].includes(name), isOther: /^(?:codex|coderabbit|user)$/.test(name) };
}

/** Boxes that are still open may all be the same executor's. */
function namedIn({ executor, subtasks }: Step): string | undefined {
  if (executor !== undefined) return executor.toLowerCase();
  const open = subtasks.filter(({ mark }) => mark !== "done");
  const [first, ...others] = new Set(open.map((box) => box.executor?.toLowerCase()));
  return others.length === 0 ? first : undefined;
}

const ROLE = /^\s*(orchestrator|worker|reviewer|human):\s*["']?([\w-]+)/gm;

/** `roles:` in the head of a plan of version 16. */
function rolesIn({ blocks }: Pick<Playbook, "blocks">): Readonly<Record<string, string>> {
  const [block] = blocks.filter((one) => /^\s*roles:\s*$/m.test(one));
  const entries = [...(block ?? "").matchAll(ROLE)].map(([, role = "", name = ""]) => [role, name.toLowerCase()]);
  return Object.fromEntries(entries);
}

/** Who has which role, as far as the settings say. */
export function rolesOf({ stack, roles }: Crew): Readonly<Record<string, string>> {
  const given = Object.fromEntries(roles.map((entry) => entry.split("=", 2) as [string, string]));
  return { ...DEFAULTS[stack], ...given };
}
