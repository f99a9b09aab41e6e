import { definePolicy, pass } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { inline, text } from "../../lib/text.ts";
import { otherGates, otherMark } from "../access/tampering/registration.ts";

const FILE = "/home/dev/project/settings.json";
const HOOK = 'PreToolUse hook {"type":"command","command":"rewrite"}';
const WITH_OTHER = { readable: true, hooks: ["PreToolUse"], disarms: [], strange: [], runs: [HOOK] };

/** A SessionStart cannot ask, so the person is told once of each hook that could replace a command after it was judged. */
export const remindOtherHooks = definePolicy({
  id: "remind-other-hooks",
  on: ["SessionStart"],
  needs: ["registration", "hostSettings"],
  why: text(
    "Another hook can change a command after it was judged.",
    "別のフックは、判定の後でコマンドを書き換えられる。",
  ),

  check({ facts }) {
    const found = facts.hostSettings.flatMap(({ path, now }) => {
      const known = own(facts.registration, path) ?? [];
      const others = otherGates(now).filter((run) => !known.includes(otherMark(run)));
      return others.length === 0 ? [] : [{ file: inline(path, 120), count: others.length }];
    });
    const notices = found.map(({ file, count }) =>
      text(
        `${file} has ${count === 1 ? "another hook that runs" : `${count} other hooks that run`} before tools and can change a command after Sekisho has judged it. If you don't know ${count === 1 ? "it" : "them"}, look there; \`sekisho doctor\` lists ${count === 1 ? "it" : "them"}. Changed commands are reported.`,
        `${file} には、ツールの前に動く別のフックが ${count} 件あり、関所の判定後にコマンドを書き換えられます。心当たりがなければ確かめてください。\`sekisho doctor\` で一覧できます。書き換えは報告されます。`,
      ),
    );
    return notices.length === 0 ? pass : { ...pass, notices };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "SessionStart", source: "startup" },
      given: { hostSettings: [{ path: FILE, now: WITH_OTHER, after: WITH_OTHER }] },
    },
  ],
});
