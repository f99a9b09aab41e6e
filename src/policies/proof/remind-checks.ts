import { definePolicy, pass, type Ruling } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { type Text, text } from "../../lib/text.ts";
import { CHECKS, type CheckName } from "../../state/check-names.ts";
import { historyOf } from "../../state/session/checks.ts";
import type { Session } from "../../state/session/session.ts";
import { PLACE, using } from "../example.ts";
import { askedBefore } from "./example-work.ts";

const edited = using({ kind: "write", name: "Write", path: `${PLACE}/src/a.ts`, content: "" }, "PostToolUse");

/**
 * A check that was asked for at the end of a turn and did not run is asked for once more when a later turn changes code:
 * by a word after the first change, so that the turn need not be refused for it again.
 */
export const remindChecks = definePolicy({
  id: "remind-checks",
  on: ["PostToolUse"],
  needs: ["session", "settings"],
  why: text(
    "A new prompt is new work, and its changes want checking too.",
    "新しい依頼は新しい作業であり、その変更にも検証が要る。",
  ),
  applies: (event) => event.agent === undefined && !event.failed && !event.background,

  check({ event, facts: { session, settings } }) {
    const { root = "", code = [] } = own(session.calls, event.call)?.work ?? {};
    if (settings.verify.stop !== "once" || code.length === 0) return pass;
    const unrun = unrunIn(root, session);
    return unrun.length === 0 ? pass : reminded(unrun, noticeFor(root, session), session);
  },

  get examples() {
    return [
      { expect: "pass", when: edited, given: { session: askedBefore } },
      { expect: "pass", when: edited },
    ] as const;
  },
});

/** The checks that a turn which has ended was asked for, and that have not run since. */
function unrunIn(root: string, { work = {}, checks }: Session): readonly CheckName[] {
  const { asked = {}, settled } = own(work, root) ?? {};
  return CHECKS.filter((check) => {
    const times = Object.entries(asked).flatMap(([name, at]) => (name.split(" ")[0] === check ? [at] : []));
    const { whole, other } = historyOf(checks, root, check);
    const ranAt = Math.max(whole?.endedAt ?? 0, other?.endedAt ?? 0);
    const last = Math.max(...times);
    return times.length > 0 && (settled?.at ?? 0) > last && ranAt <= last;
  });
}

/** One for each turn. */
function noticeFor(root: string, { work = {} }: Session): string {
  return `checks not run ${own(work, root)?.settled?.at ?? 0}`;
}

function reminded(unrun: readonly CheckName[], notice: string, { shown }: Session): Ruling {
  if (shown.includes(notice)) return pass;
  return { ...pass, notes: [words(unrun.join(", "))], changes: [{ record: "session", do: "show", notice }] };
}

function words(unrun: string): Text {
  return text(
    `Sekisho: an earlier turn changed code and ended without a passed ${unrun}. Run it for this change before you finish.`,
    `関所: 以前のターンは ${unrun} に通らないまま終わっています。今回の変更では、終える前に実行してください。`,
  );
}
