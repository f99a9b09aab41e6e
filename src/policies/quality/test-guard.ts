/** When tests are guarded, how strictly, and for which scripts of a command. */

import type { Facts } from "../../kernel/facts.ts";
import { pass, type Ruling } from "../../kernel/policy.ts";
import { changes, type Operation } from "../../reading/operation/operation.ts";
import type { Tool } from "../../reading/tool.ts";
import { modeInForce } from "../../state/session/modes.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";
import type { TestContext } from "./test-ground.ts";

export type Grade = Settings["quality"]["tests"];

export const TEST_FACTS = ["now", "settings", "session", "places", "targets", "standingText", "scripts"] as const;

interface Given {
  readonly event: { readonly tool: Tool; readonly cwd: string };
  readonly operation: Operation;
  readonly facts: Pick<Facts, (typeof TEST_FACTS)[number]>;
}

/** Input of a rule: a tool use, or a script that it runs. */
export interface TestCase {
  readonly tool: Tool;
  readonly operation: Operation;
  readonly ground: TestContext;
  readonly grade: Grade;
}

export function guardedRuling({ event, operation, facts }: Given, rule: (one: TestCase) => Ruling): Ruling {
  const grade = gradeOf(facts);
  if (grade === "off") return pass;
  const { tool, cwd } = event;
  const place = { cwd, project: facts.places.project, standing: facts.standingText };
  const judge = (one: Pick<ReadScript, "operation" | "targets">): Ruling =>
    rule({ tool, operation: one.operation, ground: { ...place, targets: one.targets }, grade });
  const itself = judge({ operation, targets: facts.targets });
  return facts.scripts.length > 0 ? withScripts(itself, facts.scripts, judge) : itself;
}

/**
 * In qa mode the agent works until the tests pass and is tempted to weaken them, so changes are denied. Otherwise the
 * setting decides.
 */
function gradeOf({ settings, session, now }: Given["facts"]): Grade {
  return modeInForce(session.modes, "qa", now) ? "deny" : settings.quality.tests;
}

export function mayChangeTests(tool: Tool, operation: Operation): boolean {
  return tool.kind === "write" || tool.kind === "edit" || (operation.shell !== undefined && changes(operation));
}
