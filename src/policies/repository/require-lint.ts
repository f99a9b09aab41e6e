import { askedOr } from "../../kernel/facts.ts";
import { ask, definePolicy, pass, type Ruling, remember } from "../../kernel/policy.ts";
import { type Text, text } from "../../lib/text.ts";
import { linterFor, lintersRunBy, stagesOrCommits } from "../../reading/operation/lint-commands.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Change } from "../../state/change.ts";
import { boundSession } from "../../state/session/example-session.ts";
import type { Linter } from "../../state/session/lint.ts";
import { defaultSettings, type Settings } from "../../state/settings/settings.ts";
import { bash, edit, PLACE } from "../example.ts";

/**
 * Runs no linter, because a hook must be fast. The journal knows which files changed and which linter has run since.
 */
export const requireLint = definePolicy({
  id: "require-lint",
  on: ["PreToolUse", "PostToolUse"],
  needs: ["session", "settings", "linters"],
  needsIf: { linters: ({ operation }) => operation?.shell?.invocations.some(stagesOrCommits) === true },
  why: text(
    "What a linter would find is cheaper to fix before the commit than after it.",
    "リンターが見つける問題は、コミットの前に直すほうが安い。",
  ),

  applies: (event, operation) =>
    event.name === "PostToolUse" ? event.tool.kind === "bash" : operation !== undefined && linterAsks(operation),

  check({ event, operation, facts }) {
    const { lint } = facts.session;
    if (event.name === "PostToolUse") {
      const isDone = lint?.running !== undefined && lint.running.call === event.call && !event.background;
      return isDone ? remember({ record: "session", do: "lint-pass", call: event.call }) : pass;
    }
    if (!operation) return pass;
    const invocations = operation.shell?.invocations ?? [];
    const run = [...new Set(invocations.flatMap(lintersRunBy))];
    const changed = linterFor(operation).filter((linter) => !lint?.due.includes(linter) || lint.told || lint.running);
    const changes = [
      ...(changed.length > 0 ? [{ record: "session", do: "lint-due", linters: changed } as const] : []),
      ...(run.length > 0 && event.call !== "" ? [beginning(event.call, run)] : []),
    ];
    const linters = askedOr(facts.linters, []);
    const due = (lint?.due ?? []).filter((linter) => linters.includes(linter) && !run.includes(linter));
    const verbs = invocations.flatMap((invocation) => stagesOrCommits(invocation) ?? []);
    const mode = reactionIn(facts.settings);
    if (due.length === 0 || verbs.length === 0 || mode === "off") return remember(...changes);
    if (mode === "ask" && verbs.includes("commit")) return ask({ what: dueText(due), fix: RUN });
    return lint?.told ? remember(...changes) : reminder(due, changes);
  },

  examples: [
    { expect: "ask", when: bash("git commit -m x"), given: changedUnder("ask") },
    { expect: "pass", when: bash("git commit -m x"), given: changedUnder("warn") },
    { expect: "pass", when: bash("npx eslint . && git commit -m x"), given: changedUnder("ask") },
    { expect: "pass", when: edit(`${PLACE}/a.ts`) },
  ],
});

/** Where Sekisho runs the linters itself, it tells what they find. */
function reactionIn({ lint }: Settings): Settings["lint"]["before_commit"] {
  return lint.run && lint.before_commit === "warn" ? "off" : lint.before_commit;
}

function linterAsks(operation: Operation): boolean {
  if (linterFor(operation).length > 0) return true;
  return operation.shell?.invocations.some((one) => stagesOrCommits(one) || lintersRunBy(one).length > 0) === true;
}

function beginning(call: string, linters: readonly Linter[]) {
  return { record: "session", do: "lint-begin", call, linters } as const;
}

function reminder(due: readonly Linter[], changes: readonly Change[]): Ruling {
  const { en, ja } = dueText(due);
  return {
    ...remember(...changes, { record: "session", do: "lint-told" }),
    notes: [text(`${en} ${RUN.en}`, `${ja} ${RUN.ja}`)],
  };
}

function dueText(due: readonly Linter[]): Text {
  const names = due.join(", ");
  return text(
    `Files were changed that ${names} has not seen since.`,
    `変更後に ${names} で確認されていないファイルがあります。`,
  );
}

const RUN = text(
  "Run it on them first (`npx eslint <files>`, `ruff check`, `shellcheck <files>`, or the project's own `lint` task).",
  "先に実行してください (`npx eslint <files>`、`ruff check`、`shellcheck <files>`、またはプロジェクトの `lint` タスク)。",
);

function changedUnder(mode: "warn" | "ask") {
  return {
    session: boundSession({ lint: { due: ["eslint" as const] } }),
    settings: { ...defaultSettings, lint: { ...defaultSettings.lint, before_commit: mode } },
    linters: ["eslint" as const],
  };
}
