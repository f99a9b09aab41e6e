/** What must have happened before the work by a plan may begin, in its order. */
import { own } from "../../lib/keyed.ts";
import { type Text, text } from "../../lib/text.ts";
import { digestOf } from "../../playbook/identity.ts";
import { isHollow } from "../../playbook/lint/criterion.ts";
import { lacksSelfUpdate } from "../../playbook/lint/lint.ts";
import { RULES } from "../../playbook/lint/rules.ts";
import type { PlaybookTree } from "../../state/playbooks.ts";
import type { Session } from "../../state/session/session.ts";
import type { PlaybookFile } from "../queries/playbooks.ts";

/** Who begins it: an agent in its session, or a person, who answers for the way that led here. */
export interface Beginner {
  readonly isAgent: boolean;
  readonly running: readonly [string, Session] | undefined;
}

/** When it happened; undefined if it has not, and `words` say what to do about that, to the one who begins. */
interface Station {
  readonly at: number | undefined;
  readonly words: Text;
}

/** The first thing that is missing or came too early, with what to do about it. */
export function missingFor(
  file: PlaybookFile,
  tree: PlaybookTree | undefined,
  review: "off" | "reviewer" | "path",
  beginner: Beginner,
): Text | undefined {
  const isWhole = review === "path" && beginner.isAgent;
  const stations = [
    ...(isWhole ? begun(file, beginner) : []),
    approved(file, tree, beginner),
    ...(review === "off" ? [] : [reviewed(file, tree, beginner)]),
  ];
  let last = 0;
  for (const { at, words } of stations) {
    if (at === undefined) return words;
    if (isWhole && at < last)
      return text(
        `${words.en} It came too early: do it again, in this order.`,
        `${words.ja}順序が早すぎます。この順でやり直してください。`,
      );
    last = at;
  }
  return undefined;
}

function begun({ playbook }: PlaybookFile, { running }: Beginner): readonly Station[] {
  const { skills = {}, helpers = {} } = running?.[1].proof ?? {};
  const { what, why, context } = playbook;
  const answers = { what, why, who: undefined, when: undefined, where: undefined, how: undefined, ...context };
  const open = Object.entries(answers).flatMap(([key, value]) => (isHollow(value ?? "") ? [key] : []));
  const drafted = own(helpers, "pm");
  const update = RULES["no-self-update"];
  return [
    {
      at: own(skills, "playbook-init"),
      words: text(
        "The skill playbook-init has not run. Run it first (Skill tool).",
        "スキル playbook-init がまだ実行されていません。先に実行してください(Skill ツール)。",
      ),
    },
    {
      at: drafted,
      words: text(
        "The agent pm has not drafted the plan. Start the subagent `sekisho:pm` (Agent tool).",
        "エージェント pm が計画を起草していません。サブエージェント `sekisho:pm` を起動してください(Agent ツール)。",
      ),
    },
    {
      at: open.length === 0 ? drafted : undefined,
      words: text(
        `The plan does not say ${open.join(", ")}. Take up the skill understanding-check, and write the answers into the plan.`,
        `計画に ${open.join("・")} がありません。スキル understanding-check を使い、答えを計画に書いてください。`,
      ),
    },
    {
      at: lacksSelfUpdate(playbook) ? undefined : drafted,
      words: text(`${update.says.en} ${update.better.en}`, `${update.says.ja}${update.better.ja}`),
    },
  ];
}

function approved(
  { path, playbook }: PlaybookFile,
  tree: PlaybookTree | undefined,
  { isAgent, running }: Beginner,
): Station {
  const approval = own(tree?.approvals ?? {}, path);
  const isHere = !isAgent || approval?.session === undefined || approval.session === running?.[0];
  return {
    at: isHere && approval?.digest === digestOf(playbook) ? approval.at : undefined,
    words: isAgent
      ? text(
          `Nobody has approved ${nameOf(path)} as it is. Ask the person with a question whose option is \`approve ${nameOf(path)}\`.`,
          `${nameOf(path)} は今の内容では承認されていません。選択肢 \`approve ${nameOf(path)}\` のある質問で人に尋ねてください。`,
        )
      : text(
          `You have not approved ${nameOf(path)} as it is now. Read it, then \`sekisho playbook approve ${nameOf(path)}\`.`,
          `${nameOf(path)} は今の内容では承認されていません。内容を読んでから \`sekisho playbook approve ${nameOf(path)}\` を実行してください。`,
        ),
  };
}

function reviewed({ path, playbook }: PlaybookFile, tree: PlaybookTree | undefined, { isAgent }: Beginner): Station {
  const verdict = own(tree?.reviews ?? {}, path);
  return {
    at: verdict?.verdict === "PASS" && verdict.plan === digestOf(playbook) ? verdict.at : undefined,
    words: isAgent
      ? text(
          `No reviewer has passed ${nameOf(path)} as it is. Start the subagent \`sekisho:reviewer\` (Agent tool) for the plan ${nameOf(path)}.`,
          `reviewer が ${nameOf(path)} を今の内容で合格にしていません。計画 ${nameOf(path)} のためにサブエージェント \`sekisho:reviewer\` を起動してください(Agent ツール)。`,
        )
      : text(
          `No reviewer has passed ${nameOf(path)} as it is now. Tell the agent to start the subagent \`sekisho:reviewer\` for it, or turn this off: \`sekisho config set plan.review off\`.`,
          `reviewer が ${nameOf(path)} を今の内容で合格にしていません。エージェントにサブエージェント \`sekisho:reviewer\` を起動させるか、\`sekisho config set plan.review off\` で不要にしてください。`,
        ),
  };
}

function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.md$/, "");
}
