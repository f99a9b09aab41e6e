/** When the tests are guarded, how strictly, and with all that a line runs. */
import type { Tool } from "../../kernel/event.ts";
import type { Facts } from "../../kernel/facts.ts";
import { changes, type Operation } from "../../kernel/operation.ts";
import { pass, type Ruling } from "../../kernel/policy.ts";
import { modeInForce } from "../../state/modes.ts";
import type { Settings } from "../../state/settings.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";
import type { Ground } from "./test-ground.ts";

export type Grade = Settings["quality"]["tests"];

export const TEST_FACTS = ["now", "settings", "session", "places", "targets", "standingText", "scripts"] as const;

interface Given {
  readonly event: { readonly tool: Tool; readonly cwd: string };
  readonly operation: Operation;
  readonly facts: Pick<Facts, (typeof TEST_FACTS)[number]>;
}

/** What a rule is shown: a tool use, or a script that it runs. */
export interface TestCase {
  readonly tool: Tool;
  readonly operation: Operation;
  readonly ground: Ground;
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

/** Whoever is driven until the tests pass has a reason to bend them; else it is as the person has set it. */
function gradeOf({ settings, session, now }: Given["facts"]): Grade {
  return modeInForce(session.modes, "qa", now) ? "deny" : settings.quality.tests;
}

export function mayChangeTests(tool: Tool, operation: Operation): boolean {
  return tool.kind === "write" || tool.kind === "edit" || (operation.shell !== undefined && changes(operation));
}
