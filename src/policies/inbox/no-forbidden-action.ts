import type { HookEvent } from "../../kernel/event.ts";
import { definePolicy, deny, type Example, pass, type Ruling } from "../../kernel/policy.ts";
import { names } from "../../lib/name-table.ts";
import { type Text, text } from "../../lib/text.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Invocation } from "../../reading/shell/parse/reading.ts";
import { standingOf } from "../../state/roles/names.ts";
import type { Forbidden } from "../../state/roles/role.ts";
import { bash, edit, PLACE, using } from "../example.ts";
import { publicationByTool, publicationOf } from "../repository/publication.ts";
import { withScripts } from "../with-scripts.ts";
import { armySettings, exampleInbox } from "./example-inbox.ts";

/** IN-4, IN-9: what the role of a named agent leaves to another one. */
export const noForbiddenAction = definePolicy({
  id: "no-forbidden-action",
  only: "roles",
  on: ["PreToolUse"],
  needs: ["settings", "session", "scripts"],
  why: text(
    "Agents that work together rely on each other's roles: one publishes, one hands out the work.",
    "協力するエージェントは互いの役割を前提に動きます。公開する役と、仕事を割り振る役は決まっています。",
  ),
  applies: ({ tool }, operation) =>
    operation.shell !== undefined || ["agent", "write", "edit", "notebook", "mcp"].includes(tool.kind),

  check({ event, operation, facts: { settings, session, scripts } }) {
    if (settings.roles.preset === "off" || session.actor === undefined) return pass;
    const { forbid, supervisor } = standingOf(session.actor, settings.roles);
    if (forbid.length === 0) return pass;
    const judge = (one: { readonly operation: Operation }): Ruling => {
      const breach = forbid.find((action) => DOES[action](event, one.operation));
      return breach ? deny({ what: whatIs(breach, session.actor ?? ""), fix: fixFor(breach, supervisor) }) : pass;
    };
    const itself = judge({ operation });
    return scripts.length > 0 ? withScripts(itself, scripts, judge) : itself;
  },

  get examples(): readonly Example[] {
    const as = (actor: string) => exampleInbox({ actor }, armySettings);
    return [
      { expect: "deny", when: bash("git push -u origin topic"), given: as("ashigaru1") },
      { expect: "deny", when: bash("gh issue comment 3 --body done"), given: as("ohariko") },
      { expect: "deny", when: bash("while true; do sekisho inbox list; sleep 5; done"), given: as("ashigaru2") },
      { expect: "deny", when: using({ kind: "agent", name: "Agent", agentType: "Explore" }), given: as("karo-roju") },
      { expect: "pass", when: using({ kind: "agent", name: "Agent", agentType: "Explore" }), given: as("ashigaru1") },
      { expect: "pass", when: bash("npm start & sleep 2; curl -s localhost:3000"), given: as("ashigaru1") },
      { expect: "pass", when: edit(`${PLACE}/a.ts`), given: as("ashigaru1") },
      { expect: "pass", when: bash("git push -u origin topic"), given: as("shogun") },
      { expect: "pass", when: bash("git push -u origin topic") },
    ];
  },
});

type Does = (event: HookEvent<"PreToolUse">, operation: Operation) => boolean;

const DOES: Readonly<Record<Forbidden, Does>> = {
  publish: ({ tool }, { shell }) =>
    (tool.kind === "mcp" && publicationByTool(tool.name) !== undefined) ||
    (shell?.invocations ?? []).some((one) => publicationOf(one, () => false) !== undefined || posts(one)),
  subagents: ({ tool }) => tool.kind === "agent",
  polling: ({ tool }, { shell }) => {
    const all = shell?.invocations ?? [];
    const isLoop = tool.kind === "bash" && /(?:^|[;&|({\n])\s*(?:while|until|for)\s/.test(tool.command);
    return all.some(({ name, via }) => via.includes("watch") || (isLoop && name === "sleep"));
  },
  edit: ({ tool }, { effects }) =>
    ["write", "edit", "notebook"].includes(tool.kind) || effects.some(({ kind }) => kind !== "read"),
};

/** F006: `gh issue comment` and the like stand under the person's name. */
function posts({ name, args }: Invocation): boolean {
  const [, verb] = args.map(({ text }) => text).filter((word) => !word.startsWith("-"));
  return (name === "gh" || name === "glab") && verb !== undefined && POSTING.has(verb);
}

const POSTING = names("create comment edit close reopen merge review delete ready lock transfer upload note update");

const WHAT: Readonly<Record<Forbidden, Text>> = {
  publish: text("does not publish anything", "何も公開しません"),
  subagents: text(
    "gives work to the other agents, not to subagents",
    "仕事を他のエージェントに割り振り、サブエージェントには渡しません",
  ),
  polling: text("does not wait in a loop", "ループで待ちません"),
  edit: text("does not change files itself", "ファイルを自分では変更しません"),
};

function whatIs(breach: Forbidden, actor: string): Text {
  return text(`The role of ${actor} ${WHAT[breach].en}.`, `${actor} の役割では、${WHAT[breach].ja}。`);
}

function fixFor(breach: Forbidden, supervisor: string): Text {
  if (breach === "polling")
    return text(
      "End your turn: a message or a task that comes will be told to you.",
      "ターンを終えてください。メッセージやタスクが届けば知らされます。",
    );
  if (breach === "publish" || supervisor === "")
    return text(
      `Report that it is ready: \`sekisho inbox send ${supervisor || "person"} "…"\`.`,
      `準備ができたことを報告してください: \`sekisho inbox send ${supervisor || "person"} "…"\`。`,
    );
  return text(
    'Hand it out as a task: `sekisho task add "…" --to NAME`.',
    'タスクとして割り振ってください: `sekisho task add "…" --to NAME`。',
  );
}
