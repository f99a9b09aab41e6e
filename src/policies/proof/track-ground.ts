import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import type { Change } from "../../state/change.ts";
import { bash } from "../example.ts";

/** Remembers what the checks stand on: shell start files, variables and programs, as they were at the session's start. */
export const trackGround = definePolicy({
  id: "track-ground",
  on: ["SessionStart", "PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit"],
  needs: ["ground"],
  why: text(
    "`npm test` proves something only while `npm` is the program it was.",
    "`npm test` が証拠になるのは、`npm` が元のプログラムのままである間だけだ。",
  ),
  applies: (event) => {
    if (event.name === "SessionStart") return true;
    return event.name === "UserPromptSubmit" ? event.notification !== undefined : event.tool.kind === "bash";
  },

  check({ event, facts: { ground } }) {
    const { lay, add, install } = ground;
    if (event.name === "SessionStart") return lay ? remember({ record: "ground", do: "lay", ground: lay }) : pass;
    const changes: Change[] = add ? [{ record: "ground", do: "add", ...add }] : [];
    if (install && event.name === "PreToolUse" && event.call !== "")
      changes.push({ record: "ground", do: "begin-install", id: event.call, ...install });
    if (install && isSuccess(event)) changes.push({ record: "ground", do: "install", ...install });
    return changes.length > 0 ? remember(...changes) : pass;
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: bash("npm ci"),
      given: { ground: { install: { root: "/p", command: "npm ci", programs: "" } } },
    },
  ],
});

function isSuccess(event: Parameters<NonNullable<typeof trackGround.check>>[0]["event"]): boolean {
  if (event.name === "PostToolUse") return !event.failed && !event.background;
  return event.name === "UserPromptSubmit" && event.notification?.status === "completed";
}
