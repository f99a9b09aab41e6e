import { definePolicy, pass } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import type { Settings } from "../../state/settings/settings.ts";

/** A subagent begins without the conversation, so it is told which of the rules in force it will meet. */
export const remindSubagent = definePolicy({
  id: "remind-subagent",
  on: ["SubagentStart"],
  needs: ["settings", "stance"],
  why: text(
    "A subagent that knows the rules plans around them instead of running into them.",
    "規則を知るサブエージェントは、ぶつかる前に計画に織り込めます。",
  ),

  check({ event, facts: { settings, stance } }) {
    const isClosed = stance.stance !== "building";
    const where = stance.stance.toUpperCase();
    return {
      ...pass,
      notes: [
        ALWAYS,
        pushes(settings),
        ...(event.attended ? [] : [NOBODY]),
        ...(isClosed
          ? [
              text(
                `The stance is ${where}: other kinds of work are refused.`,
                `構えは ${where} です。ほかの種類の作業は拒否されます。`,
              ),
            ]
          : []),
        ...habits(settings),
      ],
    };
  },

  examples: [
    { expect: "pass", when: { name: "SubagentStart", agent: { id: "a1", type: "general-purpose" } } },
    { expect: "pass", when: { name: "SubagentStart", agent: { id: "a1", type: "Explore" }, attended: false } },
  ],
});

const ALWAYS = text(
  "Sekisho checks every tool call here. If one is refused, do what the refusal says or report it to your caller; another way to the same effect is refused too, and only a person can lift it. Refused or asked about: losing uncommitted work, deleting outside the project, showing or sending secrets, changing Sekisho's own files, commands that can't be read.",
  "関所はここでのツール使用をすべて確認します。拒否されたら、その指示に従うか、呼び出し元に報告してください。別の手段で同じことをしても拒否され、解除できるのは人だけです。未コミットの作業の破棄、プロジェクト外の削除、秘密情報の表示や送信、関所自身のファイルの変更、内容を読み取れないコマンドは、拒否されるか確認されます。",
);

const NOBODY = text(
  "Nobody is there to answer questions: what needs a person's confirmation is refused.",
  "質問に答える人がいないため、人の確認が必要な操作は拒否されます。",
);

function pushes({ publish, profile }: Settings): Text {
  const branches = inline(publish.branches.join(", "), 120);
  const remote = text("Nothing is pushed from here.", "ここから push はできません。");
  if (profile.remote === "deny") return remote;
  return text(
    `Force pushes and releases need a person, and so do pushes to the default branch${branches === "" ? "" : ` or to ${branches}`}.`,
    `強制 push とリリースには人の確認が必要です。既定のブランチ${branches === "" ? "" : `と ${branches} `}への push も同様です。`,
  );
}

/** Rules that are off by default. */
function habits({ quality, rules, verify, profile }: Settings): readonly Text[] {
  return [
    ...(profile.trust_gate === "domain" ? [TRUST] : []),
    ...(quality.tests === "off" ? [] : [TESTS]),
    ...(rules.read_before_edit === "off" ? [] : [READ]),
    ...(rules.code_skill === "" ? [] : [skillFirst(rules.code_skill)]),
    ...(verify.subagents === "off" ? [] : [RESULTS]),
  ];
}

const TRUST = text(
  "Commands and commits are asked about until trust in that kind of work is earned.",
  "コマンドとコミットは、その種の作業で信頼を得るまで確認されます。",
);
const TESTS = text("Don't weaken, skip or delete tests.", "テストを弱めたり、飛ばしたり、削除したりしないでください。");
const READ = text("Read a file before you change it.", "変更する前にファイルを読んでください。");
const RESULTS = text(
  "Report results, with paths, commands and their output. A report of possibilities is sent back once.",
  "パス、コマンド、その出力を添えて結果を報告してください。可能性だけの報告は一度差し戻されます。",
);

function skillFirst(skill: string): Text {
  return text(
    `Invoke the skill \`${skill}\` before you write code.`,
    `コードを書く前にスキル \`${skill}\` を使ってください。`,
  );
}
