/** What is said when one of the project's own guards does not let a tool use pass. */
import type { GuardFound } from "../../kernel/facts.ts";
import { inline, type Text, text } from "../../lib/text.ts";

type Words = Readonly<Record<"what" | "fix", Text>>;

export function guardWords({ name, outcome, reason }: GuardFound): Words {
  return WORDS[outcome](inline(name, 60), inline(reason, 300));
}

const WORDS: Readonly<Record<GuardFound["outcome"], (guard: string, reason: string) => Words>> = {
  passed: () => ({ what: text("", ""), fix: text("", "") }),
  refused: (guard, said) => ({
    what: text(
      `The project's guard ${guard} refuses this${said === "" ? "." : `: ${said}`}`,
      `プロジェクトのガード ${guard} が拒否しました${said === "" ? "。" : `: ${said}`}`,
    ),
    fix: text(
      `Do what the guard asks for. \`.sekisho/guards/${guard}\` can be read; only a person can change it.`,
      `ガードの求めに従ってください。\`.sekisho/guards/${guard}\` は読めますが、変更できるのは利用者だけです。`,
    ),
  }),
  missing: (guard) => ({
    what: text(
      `The project's guard .sekisho/guards/${guard} is missing, so it cannot judge this change.`,
      `プロジェクトのガード .sekisho/guards/${guard} がないため、この変更を判定できません。`,
    ),
    fix: putRight(guard),
  }),
  changed: (guard) => ({
    what: text(
      `The guard .sekisho/guards/${guard} is not the file that a person trusted, so it was not run.`,
      `ガード .sekisho/guards/${guard} は利用者が信頼した内容と異なるため、実行していません。`,
    ),
    fix: putRight(guard),
  }),
  failed: (guard, reason) => ({
    what: text(
      `The project's guard .sekisho/guards/${guard} could not judge this: ${reason}.`,
      `プロジェクトのガード .sekisho/guards/${guard} は判定できませんでした: ${reason}`,
    ),
    fix: putRight(guard),
  }),
};

function putRight(guard: string): Text {
  return text(
    `Tell the person: \`sekisho guard\` shows it; \`sekisho guard trust ${guard}\` accepts the file as it is, \`sekisho guard forget ${guard}\` takes it out. You can go on reading.`,
    `利用者に伝えてください。\`sekisho guard\` で確認でき、\`sekisho guard trust ${guard}\` で今の内容を認め、\`sekisho guard forget ${guard}\` で外せます。読み取りは続けられます。`,
  );
}
