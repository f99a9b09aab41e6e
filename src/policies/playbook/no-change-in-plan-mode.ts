import { definePolicy, deny, type Example, pass, type Ruling } from "../../kernel/policy.ts";
import { names } from "../../lib/name-table.ts";
import { inline, text } from "../../lib/text.ts";
import { gitVerb } from "../../reading/operation/git-site.ts";
import { changes, type Operation } from "../../reading/operation/operation.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";
import { bash, edit, PLACE, read } from "../example.ts";
import { touchedFiles } from "../proof/touched-files.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";

/** In the host's plan mode nothing of the project changes, by any tool. The host itself only asks the model not to. */
export const noChangeInPlanMode = definePolicy({
  id: "no-change-in-plan-mode",
  on: ["PreToolUse"],
  needs: ["settings", "places", "targets", "standing", "scripts", "host"],
  ofTheMoment: true,
  why: text(
    "The client is in plan mode, and the person has not chosen a plan yet.",
    "クライアントはプランモードで、利用者はまだ計画を選んでいません。",
  ),
  applies: (event, operation) => event.planning === true && changes(operation),

  check({ event, operation, facts: { settings, places, targets, standing, scripts, host } }) {
    const judge = (one: Pick<ReadScript, "operation" | "targets">): Ruling => {
      const ground = {
        cwd: event.cwd,
        places,
        targets: one.targets,
        standing,
        endings: settings.gates.code_extensions,
      };
      const files = touchedFiles(event.tool, one.operation, ground);
      const file = files.find(({ path }) => !host.planFiles.test(path));
      return file ? refused(file.spelled) : onGit(one.operation);
    };
    const itself = judge({ operation, targets });
    return scripts.length > 0 ? withScripts(itself, scripts, judge) : itself;
  },

  get examples(): readonly Example[] {
    const planning = { planning: true };
    return [
      { expect: "deny", when: { ...edit(`${PLACE}/a.ts`), ...planning } },
      { expect: "deny", when: { ...bash("sed -i s/a/b/ README.md"), ...planning } },
      { expect: "deny", when: { ...bash("git commit -am x"), ...planning } },
      { expect: "pass", when: { ...edit(`${PLACE}/.sekisho/playbooks/button.md`), ...planning } },
      { expect: "pass", when: { ...bash("npm test"), ...planning } },
      { expect: "pass", when: { ...read(`${PLACE}/a.ts`), ...planning } },
      { expect: "pass", when: edit(`${PLACE}/a.ts`) },
    ];
  },
});

const CHANGING = names("commit merge rebase reset cherry-pick revert push am apply stash rm mv clean pull");

function onGit({ shell }: Operation): Ruling {
  const verbs = shell?.invocations.filter((one) => !isListing(one)).map((one) => gitVerb(one) ?? "") ?? [];
  const verb = verbs.find((name) => CHANGING.has(name));
  return verb === undefined ? pass : refused(`git ${verb}`);
}

/** `git stash list` and dry runs. */
function isListing({ args }: Invocation): boolean {
  return args.some(({ text }) => /^(?:list|show|--dry-run|-n)$/.test(text));
}

function refused(what: string): Ruling {
  const thing = inline(what, 80);
  return deny({
    what: text(
      `Plan mode is on, and this would change the project: ${thing}.`,
      `プランモード中ですが、プロジェクトを変更する操作です: ${thing}。`,
    ),
    fix: text(
      "Finish the plan and call ExitPlanMode. Once the person has chosen to go on, changes are open.",
      "計画を仕上げて ExitPlanMode を呼んでください。利用者が進めると選べば変更できます。",
    ),
  });
}
