/** The line about an activity: advice, and the available skills and agents for it. */
import { type Text, text } from "../../lib/text.ts";
import type { Activity } from "../../state/activity.ts";
import { nameable } from "./nameable.ts";

type Kind = Exclude<Activity, "none">;

interface There {
  readonly skills: readonly string[];
  readonly agents: readonly string[];
}

export function activityLine(activity: Kind, there: There): Text {
  const { advice, skills, agents } = SERVED[activity];
  const found = [...nameable(skills, there.skills), ...nameable(agents, there.agents)];
  const [named, used] = [found.join(", "), found.length > 0];
  return text(
    `Sekisho: this prompt reads as ${activity}. ${advice.en}${used ? ` For it: ${named}.` : ""}`,
    `関所: この依頼は ${activity} と読めます。${advice.ja}${used ? `使えるもの: ${named}。` : ""}`,
  );
}

interface Served {
  readonly advice: Text;
  readonly skills: readonly string[];
  readonly agents: readonly string[];
}

const SERVED: Readonly<Record<Kind, Served>> = {
  implement: {
    advice: text(
      "Read what is there, build the smallest thing that does it, and run the project's checks before calling it done.",
      "既存のコードを読み、必要最小限を作り、完了と言う前にプロジェクトの検査を実行してください。",
    ),
    skills: ["code-quality-rules", "verification-before-completion"],
    agents: ["implementer"],
  },
  design: {
    advice: text(
      "Name the forces and at least two options, decide with reasons, and leave the code alone until a person agrees.",
      "制約と二つ以上の案を挙げ、理由を添えて決め、人が同意するまでコードは変えないでください。",
    ),
    skills: ["document-quality-rules"],
    agents: [],
  },
  debug: {
    advice: text(
      "Reproduce it and find the cause before changing anything; then show that the same thing no longer fails.",
      "変更する前に再現して原因を突き止め、そのあと同じことがもう失敗しないと示してください。",
    ),
    skills: ["verification-before-completion"],
    agents: [],
  },
  research: {
    advice: text(
      "Look and report: say where each finding stands, and what is known and what is guessed. Change nothing.",
      "調べて報告してください。根拠の場所と、確かなことと推測の別を示し、何も変更しないでください。",
    ),
    skills: [],
    agents: ["researcher"],
  },
  plan: {
    advice: text(
      "Break it into steps that can each be checked, in order, with their risks. Do not begin with them yet.",
      "一つずつ確かめられる手順に順番に分け、危険も書き、まだ着手しないでください。",
    ),
    skills: ["document-quality-rules"],
    agents: [],
  },
  review: {
    advice: text(
      "Judge what is there: what is wrong, where, how bad, and how to fix it. Leave the fixes to whoever asked.",
      "あるものを評価してください。何が、どこで、どの程度問題で、どう直せるか。修正は依頼があってからです。",
    ),
    skills: ["code-quality-rules"],
    agents: ["reviewer"],
  },
  compound: {
    advice: text(
      "Write down what would have saved time, with its evidence, where the next session will find it.",
      "次のセッションが見つけられる場所に、時間の節約になる知見を根拠とともに書き残してください。",
    ),
    skills: ["writing-skills", "document-quality-rules"],
    agents: [],
  },
};
