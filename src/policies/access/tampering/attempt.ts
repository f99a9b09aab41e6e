/** Judges one tool call: what it reaches, by which tool, and what its commands are aimed at. */

import type { HookEvent } from "../../../kernel/event.ts";
import type { Facts } from "../../../kernel/facts.ts";
import { pass, type Ruling } from "../../../kernel/policy.ts";
import { inline } from "../../../lib/text.ts";
import type { Operation } from "../../../reading/operation/operation.ts";
import { cancels, onForgedPrompt, onScheduled } from "./forged-prompt.ts";
import { onHostProcess } from "./host-process.ts";
import { onHostText } from "./host-text.ts";
import { keyReader } from "./own-key.ts";
import { ownPlaces, placeReached } from "./own-place.ts";
import { keepKey, onPlace, onShell, onStranger } from "./tampering.ts";
import { onTyping } from "./typing.ts";

type Known = Pick<Facts, "places" | "targets" | "host" | "hostSettings" | "session" | "panes">;

export function onAttempt(event: HookEvent<"PreToolUse">, operation: Operation, facts: Known): Ruling {
  if (event.tool.kind === "control") return onScheduled(event.tool);
  const places = ownPlaces(facts.places, facts.host);
  if (event.tool.kind === "mcp" || event.tool.kind === "unknown") return onStranger(event.tool, places);
  const { host, targets, session } = facts;
  const ground = { host, project: facts.places.project, home: facts.places.home, targets };
  // For the file tools the resulting settings file is known, so they may edit it as long as our hooks stay complete.
  const shown = event.tool.kind === "write" || event.tool.kind === "edit" ? facts.hostSettings : [];
  const onEffects = operation.effects.map((effect) => {
    const reached = placeReached(effect, ground, places);
    return reached ? onPlace(reached, effect, shown) : pass;
  });
  const refused = strictest(onEffects);
  if (refused.decision !== "pass") return refused;
  const reader = keyReader(operation, facts.places, ground);
  if (reader !== undefined) return keepKey(inline(reader, 80));
  const { shell } = operation;
  return strictest([
    event.tool.kind === "bash" ? onShell(event.tool.command, operation, places) : pass,
    shell ? onHostProcess(shell, { host, pid: session.client?.pid }, lineOf(event)) : pass,
    shell ? onTyping(shell, facts, cancels) : pass,
    onForgedPrompt(operation, facts),
    onHostText(event.tool, operation, facts),
  ]);
}

function lineOf({ tool }: HookEvent<"PreToolUse">): string {
  return tool.kind === "bash" ? tool.command : "";
}

/** The first denial, or else the first question. */
function strictest(rulings: readonly Ruling[]): Ruling {
  const held = rulings.filter(({ decision }) => decision !== "pass");
  return held.find(({ decision }) => decision === "deny") ?? held[0] ?? pass;
}
