import { asksForSkills } from "../../evidence/default-rules.ts";
import type { CheckedTree } from "../../evidence/tree.ts";
import {
  type CheckStanding,
  hasRun,
  isChanged,
  isLacking,
  isVerified,
  owedChecks,
  owedSkill,
} from "../../evidence/verification.ts";
import { askedOr } from "../../kernel/facts.ts";
import { definePolicy, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { type Text, text } from "../../lib/text.ts";
import type { Change } from "../../state/change.ts";
import { historyOf } from "../../state/session/checks.ts";
import type { Session } from "../../state/session/session.ts";
import { endedUses } from "../../state/session/stops.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { changedTree, owing } from "./example-work.ts";
import { howTo, type Owed, whatIsOwed } from "./owed-words.ts";

const ID = "require-verification";
const BOUND = 5;

/**
 * The turn may end when the project's checks have passed for the current code; a project without checks owes nothing.
 */
export const requireVerification = definePolicy({
  id: ID,
  on: ["Stop"],
  needs: ["session", "settings", "checkedTrees", "personChecks", "skills", "now"],
  needsIf: { skills: ({ settings }) => asksForSkills(settings) },
  bound: BOUND,
  level: "verification",
  why: text(
    "Done is what the checks say of the code as it stands, not what is said about it.",
    "完了かどうかは、言葉ではなく、いまのコードに対する検証で決まる。",
  ),
  // An agent that waits for a subagent is not finished yet.
  applies: (event) => event.awaitsAgent !== true,

  check({ event, facts }) {
    const { session, settings } = facts;
    if (settings.verify.stop === "off") return pass;
    const changed = facts.checkedTrees.filter((tree) => isChanged(tree, session));
    const known = { session, person: facts.personChecks, verify: settings.verify, now: facts.now };
    const owed = changed.map((tree) => ({
      tree,
      open: owedChecks(tree, known),
      skill: owedSkill(tree, askedOr(facts.skills, []), known),
    }));
    const due = owed.filter(isDue);
    // Nor is one that waits for a background command. A server may run indefinitely, so the person is told once.
    if (event.backgroundTasks > 0) return due.length === 0 ? pass : unaskedBehind(session, whatIsOwed(due, session));
    const settled = facts.checkedTrees.map((tree) =>
      settle(tree, !due.some((one) => one.tree === tree) && isVerified(tree, known)),
    );
    if (due.length === 0) return { ...pass, changes: settled };
    const asked = askedFor(due, session, settings.verify.stop);
    if (asked.length > 0) {
      const after = endedUses(session);
      const marks = asked.map(
        ({ tree, open, skill }): Change => ({
          ...{ record: "work", do: "refuse", root: tree.root, after },
          asked: [...open.map(askedAs), ...(skill === undefined ? [] : [SKILL])],
        }),
      );
      return { ...deny({ what: whatIsOwed(asked, session), fix: howTo(asked, event.cwd) }), changes: marks };
    }
    const words = whatIsOwed(due, session);
    const notice = text(`the turn ended unverified. ${words.en}`, `検証されないまま終わりました。${words.ja}`);
    return { ...pass, notices: [notice], changes: settled, owing: true };
  },

  get examples() {
    return [
      { expect: "deny", when: { name: "Stop", backgroundTasks: 0 }, given: owing("missing") },
      { expect: "pass", when: { name: "Stop", backgroundTasks: 0 }, given: owing("passed") },
      { expect: "pass", when: { name: "Stop", backgroundTasks: 1 }, given: owing("missing") },
      { expect: "pass", when: { name: "Stop", backgroundTasks: 0 }, given: { checkedTrees: [changedTree] } },
    ] as const;
  },
});

const UNASKED = "unverified in the background";

function unaskedBehind({ shown }: Session, owed: Text): Ruling {
  if (shown.includes(UNASKED)) return pass;
  const notice = text(
    `${owed.en} Nobody is asked for it while a command runs in the background`,
    `${owed.ja}バックグラウンドでコマンドが動いている間は検証を求めません`,
  );
  return { ...pass, notices: [notice], changes: [{ record: "session", do: "show", notice: UNASKED }] };
}

const SKILL = "skill";
const isDue = ({ open, skill }: Owed): boolean => open.length > 0 || skill !== undefined;

/** What the end of the turn is refused for, up to the bound. */
function askedFor(due: readonly Owed[], session: Session, stop: Settings["verify"]["stop"]): readonly Owed[] {
  const count = own(session.refusals, ID) ?? 0;
  if (count >= BOUND || stop === "off" || stop === "warn") return [];
  if (stop === "once") return due.map((owed) => unasked(owed, session)).filter(isDue);
  // Refuses once in any case, and again only after the agent tried something.
  const tried = endedUses(session);
  const isTried = ({ tree }: Owed): boolean => tried > (own(session.work ?? {}, tree.root)?.refusedAfter ?? -1);
  return count === 0 || due.some(isTried) ? due : [];
}

/** After the first time only checks that ran since are asked for: the person is told of the others. */
function unasked({ tree, open, skill }: Owed, { work = {}, checks }: Session): Owed {
  const asked = own(work, tree.root)?.asked ?? {};
  const last = Math.max(-1, ...Object.values(asked));
  const isNew = (one: CheckStanding): boolean => {
    const { whole, other } = historyOf(checks, tree.root, one.check);
    const ranAt = Math.max(whole?.endedAt ?? 0, other?.endedAt ?? 0);
    return ranAt > last && !hasRun(one) && !(isRanOtherwise(one) && own(asked, askedAs(one)) !== undefined);
  };
  const isSkillNew = skill !== undefined && own(asked, SKILL) === undefined;
  // Whoever goes on without the tests that were asked for is not asked for less.
  const isIgnored = (one: CheckStanding): boolean => one.check === "test" && !isNew(one) && !hasRun(one);
  const isUntested = own(asked, "test") !== undefined && open.some(isIgnored);
  const fresh = open.filter((one) => isNew(one) && !(isUntested && isLacking(one)));
  return { tree, open: fresh, ...(isSkillNew && { skill }) };
}

/** It ran in a form that does not count. An agent that was told so once is not told again. */
function isRanOtherwise({ standing }: CheckStanding): boolean {
  return standing === "unproven" || standing === "partial" || standing === "unseen";
}

function askedAs(one: CheckStanding): string {
  return isRanOtherwise(one) ? `${one.check} ${one.result?.why ?? one.standing}` : one.check;
}

function settle({ root, digest }: CheckedTree, verified: boolean): Change {
  return { record: "work", do: "settle", root, verified, code: digest && "code" in digest ? digest.code : "" };
}
