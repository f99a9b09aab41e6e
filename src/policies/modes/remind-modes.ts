import { askedOr, type Facts, NO_TASKS } from "../../kernel/facts.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { type Mode, type ModeName, modesInForce } from "../../state/session/modes.ts";
import { newSession } from "../../state/session/session.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { bash, exampleMode, read } from "../example.ts";
import { withTip } from "./tool-tips.ts";

/** Shows the active modes and their progress in a line before a tool call, and again only after a change. */
export const remindModes = definePolicy({
  id: "remind-modes",
  on: ["PreToolUse"],
  needs: ["session", "settings", "now", "hostTasks"],
  needsIf: {
    hostTasks: ({ settings: { modes }, session }) =>
      modes.reminder !== "off" && (modes.tasks || session.modes !== undefined),
  },
  why: text(
    "An agent deep in its work forgets how much of it is left, and how often it may still be told to continue.",
    "作業に没頭したエージェントは、残りの仕事と、あと何回続けられるかを忘れる。",
  ),

  // A subagent has its own task.
  applies: ({ agent }) => agent === undefined,

  check({ event, facts }) {
    const { reminder, tasks } = facts.settings.modes;
    const { modes, reminded } = facts.session;
    if (reminder === "off" || (modes === undefined && !tasks)) return pass;
    const line = lineOf(facts);
    const isNews = line !== reminded;
    if (line === "" || (!isNews && reminder === "change")) return pass;
    const told = isNews ? remember({ record: "session", do: "remind", line }) : pass;
    return { ...told, notes: [withTip(line, event.tool)] };
  },

  examples: [
    { expect: "pass", when: bash("npm test") },
    {
      expect: "pass",
      when: bash("npm test"),
      given: { session: { ...newSession(0), modes: { persistent: exampleMode } } },
    },
    {
      expect: "pass",
      when: read("/home/dev/project/a.ts"),
      given: {
        settings: { ...defaultSettings, modes: { ...defaultSettings.modes, tasks: true } },
        hostTasks: { open: 2, done: 0, shown: [], changedAt: 0 },
      },
    },
  ],
});

/** Empty if there is nothing to show. */
function lineOf({ session, settings, now, hostTasks }: Pick<Facts, (typeof remindModes.needs)[number]>): string {
  const active = modesInForce(session.modes, now).filter(({ paused }) => paused === undefined);
  const isAsked = active.length > 0 || settings.modes.tasks;
  const open = isAsked ? askedOr(hostTasks, NO_TASKS).open : 0;
  const tasks = open > 0 ? [`Tasks: ${open}`] : [];
  const parts = [...active.map(part), ...tasks];
  return parts.length === 0 ? "" : `[${parts.join(" | ")}]`;
}

/** The limit of turbo is not a goal, so only its count is shown. */
function part({ name, count, max }: Mode & { readonly name: ModeName }): string {
  return name === "turbo" ? `TURBO #${count}` : `${name.toUpperCase()} ${count}/${max}`;
}
