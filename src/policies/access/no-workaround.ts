import { ask, definePolicy, deny, pass } from "../../kernel/policy.ts";
import { inline, text } from "../../lib/text.ts";
import { bash, edit, using } from "../example.ts";
import { type Way, wayAround } from "./workaround.ts";

/** Never the first to object: it acts on earlier refusals of this session that the policies would still repeat. */
export const noWorkaround = definePolicy({
  id: "no-workaround",
  on: ["PreToolUse"],
  needs: ["refused", "scripts", "targets", "now"],
  hasFloor: true,
  why: text(
    "A refusal is about what would happen, not about the tool: the same effect by another way is the same effect.",
    "拒否の対象は道具ではなく結果です。別の手段でも結果は同じです。",
  ),
  applies: ({ tool: { kind } }) => kind !== "control" && kind !== "agent" && kind !== "web" && kind !== "worktree",

  check({ event, operation, facts }) {
    if (facts.refused.length === 0) return pass;
    const { targets, scripts } = facts;
    const way = wayAround({ tool: event.tool, operation, cwd: event.cwd, targets, scripts }, facts.refused);
    if (!way) return pass;
    const words = { ...wordsOn(way, facts.now), ...(way.refusal.floor && { floor: true as const }) };
    return way.unsure ? ask(words) : deny(words);
  },

  examples: [
    { expect: "deny", when: bash("python3 -c \"open('notes.lock','w').write('x')\""), given: refusedBefore() },
    { expect: "deny", when: bash("ed -s notes.lock"), given: refusedBefore() },
    {
      expect: "deny",
      when: using({ kind: "mcp", name: "mcp__fs__write_file", words: ["/home/dev/project/notes.lock"] }),
      given: refusedBefore(),
    },
    { expect: "pass", when: bash("cat notes.lock && git diff notes.lock"), given: refusedBefore() },
    { expect: "pass", when: bash("python3 -c \"open('notes.lock','w').write('x')\"") },
    { expect: "pass", when: edit("/home/dev/project/notes.lock"), given: refusedBefore() },
  ],
});

/** An Edit that a policy refused a minute ago. */
function refusedBefore() {
  const effect = { kind: "write", what: "/home/dev/project/notes.lock", by: "Edit", policy: "no-x" } as const;
  return { now: 61_000, refused: [{ ...effect, rid: "r1", at: 1_000, again: false }] };
}

function wordsOn({ refusal, by }: Way, now: number) {
  const { what, rid, policy, floor } = refusal;
  const minutes = Math.max(0, Math.round((now - refusal.at) / 60_000));
  const [first, path, other, id] = [refusal.by, what, by, rid].map((word) => inline(word, 100));
  return {
    what: text(
      `This is the way around a refusal: ${first} on ${path} was refused ${minutes} min ago (${policy}, ${id}), and through ${other} the effect is the same.`,
      `拒否の迂回です: ${path} への ${first} は ${minutes} 分前に拒否されました (${policy}, ${id})。${other} を通しても結果は同じです。`,
    ),
    fix: floor
      ? text(
          `Leave it as it is, whatever the tool; \`sekisho explain ${id}\` says why. Tell the person what you need: they can make the change themselves.`,
          `どの道具でも変更しないでください。理由は \`sekisho explain ${id}\` で分かります。必要なことを利用者に伝え、変更は利用者自身に任せてください。`,
        )
      : text(
          `Do what the first refusal says (\`sekisho explain ${id}\`), or ask the person: once they allow that one (\`sekisho allow ${id}\`), this way is open too.`,
          `最初の拒否が示す方法に従うか (\`sekisho explain ${id}\`)、利用者に頼んでください。それが許可されれば (\`sekisho allow ${id}\`)、この方法も通ります。`,
        ),
  };
}
