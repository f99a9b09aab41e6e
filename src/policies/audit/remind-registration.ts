import { definePolicy, pass } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { inline, text } from "../../lib/text.ts";
import { lostFrom } from "../access/tampering/registration.ts";

const FILE = "/home/dev/project/settings.json";
/** The hooks of a file from which somebody took ConfigChange. */
const ONE_LEFT = { readable: true, hooks: ["PreToolUse"], disarms: [], strange: [], runs: [] };

/** Reports changes of the settings that were vetoed in another session or made between two sessions. */
export const remindRegistration = definePolicy({
  id: "remind-registration",
  on: ["SessionStart"],
  needs: ["registration", "hostSettings", "session"],
  floor: true,
  why: text(
    "Half a registration still answers, and so looks whole.",
    "半分残った登録は返事をするので、無傷に見えてしまう。",
  ),

  check({ facts }) {
    // The first session of a project has no baseline.
    if (Object.keys(facts.registration).length === 0) return pass;
    const losses = facts.hostSettings.flatMap(({ path, now }) => {
      const loss = lostFrom(own(facts.registration, path) ?? [], now);
      return loss ? [{ file: inline(path, 120), loss }] : [];
    });
    const unseen = losses.filter(({ file, loss }) => !facts.session.shown.includes(`${file} ${loss.en}`));
    return {
      ...pass,
      notices: unseen.map(({ file, loss }) =>
        text(
          `${file} is not what earlier sessions began with: ${loss.en}. What the agent does may go unseen. In a terminal of your own: \`sekisho init\` sets it up again, \`sekisho uninstall\` if you meant to take it away.`,
          `${file} が以前のセッションと違います: ${loss.ja}。エージェントの操作が見えないおそれがあります。ご自身の端末で \`sekisho init\` を実行すれば元に戻ります。外すつもりなら \`sekisho uninstall\` を。`,
        ),
      ),
      notes: unseen.map(({ file, loss }) =>
        text(
          `Sekisho: in ${file}, ${loss.en}. Tell the person before you change anything; leave that file alone.`,
          `関所: ${file} では${loss.ja}。何かを変える前に利用者に伝え、このファイルには触れないでください。`,
        ),
      ),
      changes: unseen.map(({ file, loss }) => ({
        record: "session",
        do: "show",
        notice: `${file} ${loss.en}`,
      })),
    };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "SessionStart", source: "resume" },
      given: {
        registration: { [FILE]: ["PreToolUse", "ConfigChange"] },
        hostSettings: [{ path: FILE, now: ONE_LEFT, after: ONE_LEFT }],
      },
    },
  ],
});
