import type { HookEvent } from "../../../kernel/event.ts";
import type { Facts } from "../../../kernel/facts.ts";
import { definePolicy, pass, type Ruling } from "../../../kernel/policy.ts";
import { inline, text } from "../../../lib/text.ts";
import type { Operation } from "../../../reading/operation/operation.ts";
import { bash, edit, read } from "../../example.ts";
import { onForgedPrompt, onScheduled } from "./forged-prompt.ts";
import { onHostText } from "./host-text.ts";
import { keyReader, mayReadKey } from "./own-key.ts";
import { ownPlaces, placeReached } from "./own-place.ts";
import { onScripts } from "./script-tampering.ts";
import { keepKey, onConfigChange, onPlace, onShell, onStranger } from "./tampering.ts";

/** The agent may read Sekisho's files except the key, and may change none of them. */
export const noTampering = definePolicy({
  id: "no-tampering",
  on: ["PreToolUse", "ConfigChange"],
  needs: ["places", "targets", "host", "hostSettings", "session", "scripts"],
  floor: true,
  why: text(
    "A guard that the guarded can switch off is none: Sekisho's journal, settings, program and hooks are changed by people only.",
    "守られる側が切れる番人は番人ではない。関所の記録・設定・プログラム・フックを変えられるのは人だけ。",
  ),
  applies: (event, operation) =>
    event.name === "ConfigChange" ||
    event.tool.kind === "mcp" ||
    event.tool.kind === "unknown" ||
    (event.tool.kind === "control" && event.tool.prompts !== undefined) ||
    operation?.shell !== undefined ||
    operation?.effects.some((effect) => effect.kind !== "read" || mayReadKey(effect, event.cwd)) === true,

  check({ event, operation, facts }) {
    if (event.name === "ConfigChange") {
      const path = facts.targets[event.path] ?? event.path;
      return onConfigChange(path, facts.session.registration, facts.hostSettings);
    }
    if (!operation) return pass;
    const ruling = onAttempt(event, operation, facts);
    if (ruling.decision === "deny" || facts.scripts.length === 0) return ruling;
    const inScript = onScripts(facts.scripts, facts.places, facts.host);
    return inScript.decision === "pass" ? ruling : inScript;
  },

  examples: [
    { expect: "deny", when: bash("sed -i s/PreToolUse/x/ .claude/settings.local.json") },
    { expect: "deny", when: bash("rm -rf ~/.local/state/sekisho") },
    { expect: "deny", when: edit("/home/dev/project/.sekisho/config.yaml") },
    { expect: "deny", when: bash("sekisho uninstall") },
    { expect: "deny", when: read("/home/dev/.local/state/sekisho/gatehouse/door.json") },
    { expect: "pass", when: bash("sekisho status && cat .claude/settings.local.json") },
    { expect: "pass", when: read("/home/dev/project/.sekisho/config.yaml") },
  ],
});

function onAttempt(
  event: HookEvent<"PreToolUse">,
  operation: Operation,
  facts: Pick<Facts, "places" | "targets" | "host" | "hostSettings">,
): Ruling {
  if (event.tool.kind === "control") return onScheduled(event.tool);
  const places = ownPlaces(facts.places, facts.host);
  if (event.tool.kind === "mcp" || event.tool.kind === "unknown") return onStranger(event.tool, places);
  const { host, targets } = facts;
  const ground = { host, project: facts.places.project, home: facts.places.home, targets };
  // For the file tools the resulting settings file is known, so they may edit it as long as our hooks stay complete.
  const shown = event.tool.kind === "write" || event.tool.kind === "edit" ? facts.hostSettings : [];
  for (const effect of operation.effects) {
    const reached = placeReached(effect, ground, places);
    const ruling = reached ? onPlace(reached, inline(effect.spelled, 80), shown) : pass;
    if (ruling.decision !== "pass") return ruling;
  }
  const reader = keyReader(operation, facts.places, ground);
  if (reader !== undefined) return keepKey(inline(reader, 80));
  const rulings = [
    event.tool.kind === "bash" ? onShell(event.tool.command, operation, places) : pass,
    onForgedPrompt(operation, facts),
  ];
  const refusal = rulings.find(({ decision }) => decision !== "pass");
  return refusal ?? onHostText(event.tool, operation, facts);
}
