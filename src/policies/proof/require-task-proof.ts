import { isChanged, owedChecks } from "../../evidence/verification.ts";
import { NAMELESS } from "../../kernel/event.ts";
import { definePolicy, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { clip, inline, text } from "../../lib/text.ts";
import { owing, worker } from "./example-work.ts";
import { howTo, type Owed, whatIsOwed } from "./owed-words.ts";

const BOUND = 5;
const SUBJECT_CHARS = 60;

/** A task needs passing checks for the code it changed; without checks to run, the second attempt passes. */
export const requireTaskProof = definePolicy({
  id: "require-task-proof",
  on: ["TaskCompleted"],
  needs: ["session", "settings", "checkedTrees", "personChecks", "now"],
  why: text(
    "A task that is ticked off is believed by whoever reads the list.",
    "完了と付けられたタスクは、一覧を見る人に信じられる。",
  ),
  // Without a session and a subject attempts cannot be counted, and the refusals would never end.
  applies: (event) => event.session !== NAMELESS && event.subject.trim() !== "",

  check({ event, facts }) {
    const { session, settings } = facts;
    const { verify } = settings;
    if (verify.tasks === "off") return pass;
    const changed = facts.checkedTrees.filter((tree) => isChanged(tree, session));
    const proofs = changed.map((tree) =>
      owedChecks(tree, { session, person: facts.personChecks, verify, now: facts.now }),
    );
    const due = changed.flatMap((tree, at): readonly Owed[] =>
      proofs[at]?.length ? [{ tree, open: proofs[at] }] : [],
    );
    const attempts = own(session.tasks ?? {}, key(event.subject)) ?? 0;
    const isProvable = changed.some(({ checks }) => checks.some(({ name }) => verify.require.includes(name)));
    if (isProvable) {
      if (due.length === 0) return pass;
      return attempts < BOUND
        ? refused(event.subject, whatIsOwed(due, session), howTo(due, event.cwd))
        : unproven(event.subject);
    }
    return verify.tasks === "all" && attempts === 0 ? refused(event.subject, NOTHING_SHOWN, SHOW) : pass;
  },

  get examples() {
    const task = { name: "TaskCompleted", task: "1", subject: "Write tests" } as const;
    return [
      { expect: "deny", when: task, given: owing("missing") },
      { expect: "pass", when: task, given: owing("passed") },
      { expect: "pass", when: task, given: { session: worker } },
    ] as const;
  },
});

function key(subject: string): string {
  return clip(subject.trim(), SUBJECT_CHARS);
}

function refused(subject: string, why: ReturnType<typeof text>, fix: ReturnType<typeof text>): Ruling {
  const task = inline(subject, 80);
  return {
    ...deny({
      what: text(
        `The task "${task}" cannot be completed yet. ${why.en}`,
        `タスク「${task}」はまだ完了にできません。${why.ja}`,
      ),
      fix,
    }),
    changes: [{ record: "session", do: "refuse-task", subject: key(subject) }],
  };
}

function unproven(subject: string): Ruling {
  const task = inline(subject, 80);
  const notice = text(`the task "${task}" was completed unverified`, `タスク「${task}」は検証されないまま完了しました`);
  return { ...pass, notices: [notice] };
}

const NOTHING_SHOWN = text("Nothing has been shown that proves it.", "それを裏付けるものが示されていません。");
const SHOW = text(
  "Run what proves it (type check, lint, tests, or the thing itself), show its output, then complete the task again.",
  "それを裏付けるもの (型検査、リント、テスト、または実際の動作) を実行して出力を示し、もう一度完了にしてください。",
);
