import { definePolicy, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";

const setup = { file: "/home/dev/setup.sh", text: "set -o pipefail", own: [], isFree: true, works: true };

/** Lets the shells of a session set `pipefail` for lines that run a check, so that a check behind a pipe counts. */
export const runPipefail = definePolicy({
  id: "run-pipefail",
  on: ["SessionStart"],
  needs: ["settings", "shellSetup"],
  why: text(
    "Half of all checks are run with a pipe behind them, which hides whether they passed.",
    "検証の半分はパイプ付きで実行され、合否が隠れてしまう。",
  ),

  check({ facts: { settings, shellSetup } }) {
    const { file, text: wanted, own = [], isFree, works } = shellSetup;
    if (file === undefined || wanted === undefined) return pass;
    const isWanted = settings.verify.pipes === "on" && works === true;
    const isThere = own.some(({ isSame }) => isSame);
    if (isWanted ? isThere : own.length === 0) return pass;
    const remove = own.map(({ path }) => path);
    const isOurs = remove.includes(file);
    const write = isWanted && (isFree || isOurs) ? { write: { file, text: wanted } } : {};
    return { ...pass, jobs: [{ job: "shell-setup", remove, ...write }] };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" }, given: { shellSetup: setup } },
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
  ],
});
