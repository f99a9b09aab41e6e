import { asksForSkills } from "../../evidence/default-rules.ts";
import type { CheckedTree } from "../../evidence/tree.ts";
import { isChanged, isVerified, openChecks, owedSkill } from "../../evidence/verification.ts";
import { askedOr } from "../../kernel/facts.ts";
import { definePolicy, deny, pass, type Ruling } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { type Text, text } from "../../lib/text.ts";
import type { Change } from "../../state/change.ts";
import type { Session } from "../../state/session/session.ts";
import { endedUses } from "../../state/session/stops.ts";
import { changedTree, owing } from "./example-work.ts";
import { howTo, whatIsOwed } from "./owed-words.ts";

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
      open: openChecks(tree, known),
      skill: owedSkill(tree, askedOr(facts.skills, []), known),
    }));
    const due = owed.filter(({ open, skill }) => open.length > 0 || skill !== undefined);
    // Nor is one that waits for a background command. A server may run indefinitely, so the person is told once.
    if (event.backgroundTasks > 0) return due.length === 0 ? pass : unasked(session, whatIsOwed(due, session));
    const settled = facts.checkedTrees.map((tree) =>
      settle(tree, !due.some((one) => one.tree === tree) && isVerified(tree, known)),
    );
    if (due.length === 0) return { ...pass, changes: settled };
    const words = whatIsOwed(due, session);
    const roots = due.map(({ tree }) => tree.root);
    if (settings.verify.stop === "block" && mayRefuse(session, roots)) {
      const after = endedUses(session);
      const marks = due.map(({ tree }): Change => ({ record: "work", do: "refuse", root: tree.root, after }));
      return { ...deny({ what: words, fix: howTo(due, event.cwd) }), changes: marks };
    }
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

function unasked({ shown }: Session, owed: Text): Ruling {
  if (shown.includes(UNASKED)) return pass;
  const notice = text(
    `${owed.en} Nobody is asked for it while a command runs in the background`,
    `${owed.ja}バックグラウンドでコマンドが動いている間は検証を求めません`,
  );
  return { ...pass, notices: [notice], changes: [{ record: "session", do: "show", notice: UNASKED }] };
}

/** Refuses once in any case, and again only after the agent tried something, up to the bound. */
function mayRefuse({ refusals, work = {}, ...session }: Session, roots: readonly string[]): boolean {
  const count = own(refusals, ID) ?? 0;
  if (count === 0 || count >= BOUND) return count === 0;
  const tried = endedUses(session);
  return roots.some((root) => tried > (own(work, root)?.refusedAfter ?? -1));
}

function settle({ root, digest }: CheckedTree, verified: boolean): Change {
  return { record: "work", do: "settle", root, verified, code: digest && "code" in digest ? digest.code : "" };
}
