import { definePolicy, pass } from "../../../kernel/policy.ts";
import { text } from "../../../lib/text.ts";
import { bash, edit, read, write } from "../../example.ts";
import { onAttempt } from "./attempt.ts";
import { cancels } from "./forged-prompt.ts";
import { mayReadKey } from "./own-key.ts";
import { onScripts } from "./script-tampering.ts";
import { onConfigChange } from "./tampering.ts";

/**
 * The agent may read Sekisho's files except the key, and may change none of them. The same holds for the host's records
 * of its sessions, and nothing may be aimed at the host's process.
 */
export const noTampering = definePolicy({
  id: "no-tampering",
  on: ["PreToolUse", "ConfigChange"],
  needs: ["places", "targets", "host", "hostSettings", "session", "scripts", "panes"],
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
    const inScript = onScripts(facts.scripts, facts, cancels);
    return inScript.decision === "pass" ? ruling : inScript;
  },

  examples: [
    { expect: "deny", when: bash("sed -i s/PreToolUse/x/ .claude/settings.local.json") },
    { expect: "deny", when: bash("rm -rf ~/.local/state/sekisho") },
    { expect: "deny", when: edit("/home/dev/project/.sekisho/config.yaml") },
    { expect: "deny", when: bash("sekisho uninstall") },
    { expect: "deny", when: read("/home/dev/.local/state/sekisho/gatehouse/door.json") },
    { expect: "deny", when: bash("gdb -p $PPID") },
    { expect: "deny", when: write("/home/dev/.claude/projects/a/b.jsonl") },
    { expect: "pass", when: bash("sekisho status && cat .claude/settings.local.json") },
    { expect: "deny", when: bash("sekisho playbook approve button") },
    { expect: "pass", when: write("/home/dev/project/.sekisho/playbooks/button.md") },
    { expect: "pass", when: read("/home/dev/project/.sekisho/config.yaml") },
  ],
});
