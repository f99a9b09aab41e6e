/** When the tests are guarded, and how strictly. */
import type { Tool } from "../../kernel/event.ts";
import { changes, type Operation } from "../../kernel/operation.ts";
import { own } from "../../state/keyed.ts";
import type { Session } from "../../state/session.ts";
import type { Settings } from "../../state/settings.ts";

export type Grade = Settings["quality"]["tests"];

/** Whoever is driven until the tests pass has a reason to bend them; else it is as the person has set it. */
export function testGrade({ quality }: Settings, { modes = {} }: Session): Grade {
  return own(modes, "qa") ? "deny" : quality.tests;
}

export function mayChangeTests(tool: Tool, operation: Operation): boolean {
  return tool.kind === "write" || tool.kind === "edit" || (operation.shell !== undefined && changes(operation));
}
