import { definePolicy, deny, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { missingResult } from "./result-text.ts";

const agent = { id: "a-1", type: "reviewer" };

/** Refuses once when a subagent reports nothing or only possibilities. No other count changes. */
export const requireConcreteResult = definePolicy({
  id: "require-concrete-result",
  on: ["SubagentStop"],
  needs: ["settings"],
  bound: 1,
  why: text(
    "Whoever sent a subagent builds on what it brings back.",
    "サブエージェントの報告の上に次の作業が積まれる。",
  ),
  // The host's internal subagents, e.g. for compaction, have no type and report to no agent.
  applies: (event) => (event.agent?.type ?? "") !== "",

  check({ event, facts }) {
    const missing = facts.settings.verify.subagents === "on" ? missingResult(event.lastMessage) : undefined;
    if (missing === undefined) return pass;
    return deny({
      what:
        missing === "empty"
          ? text("The report is empty.", "報告が空です。")
          : text("The report names possibilities and no results.", "報告に可能性だけが書かれ、結果がありません。"),
      fix: text(
        "Answer these in the report: was the requested work really done; what are the results, not the possibilities; which paths, code or data show it. Do what is missing first; if it cannot be done, say what stood in the way.",
        "次に答えてください: 依頼された作業は実際に終わったか。可能性ではなく結果は何か。それを示すパス・コード・データはどれか。足りないことは先に行い、できない場合は何が妨げたかを書いてください。",
      ),
    });
  },

  examples: [
    {
      expect: "deny",
      when: { name: "SubagentStop", agent, lastMessage: "I could look into the parser and might find the cause." },
      given: { settings: { ...defaultSettings, verify: { ...defaultSettings.verify, subagents: "on" } } },
    },
    {
      expect: "pass",
      when: { name: "SubagentStop", agent, lastMessage: "src/parser.ts:41 drops the last token; 3 tests fail." },
      given: { settings: { ...defaultSettings, verify: { ...defaultSettings.verify, subagents: "on" } } },
    },
    { expect: "pass", when: { name: "SubagentStop", agent, lastMessage: "I might." } },
  ],
});
