/** Checks the end of a turn or a task against the evidence rules that people have written. */

import { type TouchedFile, unmetRules } from "../../evidence/evidence-rule.ts";
import { standingsOf } from "../../evidence/verification.ts";
import { standingIn } from "../../evidence/work-standing.ts";
import type { HookEvent } from "../../kernel/event.ts";
import type { Facts } from "../../kernel/facts.ts";
import { deny, pass, type Ruling } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { fileKind } from "../../reading/operation/file-kind.ts";
import { CHECKS } from "../../state/check-names.ts";
import type { EvidenceRule } from "../../state/settings/evidence-rules.ts";
import { fixFor, noteFor, whatFor } from "./evidence-words.ts";

type Known = Pick<Facts, "now" | "session" | "settings" | "places" | "checkedTrees" | "personChecks">;

export function onClosing(
  event: HookEvent<"Stop" | "TaskCompleted">,
  facts: Known,
  rules: readonly EvidenceRule[],
  { id, bound }: { readonly id: string; readonly bound: number },
): Ruling {
  const { session, settings, places, personChecks: person, now } = facts;
  const [tree] = facts.checkedTrees;
  const verify = { ...settings.verify, require: CHECKS };
  const digest = tree?.digest && "files" in tree.digest ? tree.digest : undefined;
  const { turnAt, changedAt } = session.proof ?? {};
  const unmet = unmetRules(rules, {
    event: event.name,
    root: places.project,
    now,
    files: (session.written ?? []).map((path) => written(path, settings.gates.code_extensions)),
    standing: standingIn(session, undefined, {
      root: places.project,
      person,
      ...(tree && { checks: standingsOf(tree, { session, person, verify, now }) }),
      ...(digest && { files: digest.files }),
      ...(event.name === "Stop" && { lastMessage: event.lastMessage }),
    }),
    ...(turnAt !== undefined && { turnAt }),
    ...(changedAt !== undefined && { changedAt }),
  });
  const refused = event.name === "Stop" ? (own(session.refusals, id) ?? 0) : taskRefusals(event, facts);
  const held = unmet.filter(({ rule }) => rule.else !== "warn" && refused < Math.min(rule.bound ?? 3, bound));
  if (held.length === 0) return { ...pass, notices: unmet.map((one) => noteFor(one, false)) };
  const ruling = deny({ what: whatFor(held), fix: fixFor(held, false) });
  return event.name === "Stop"
    ? ruling
    : { ...ruling, changes: [{ record: "session", do: "refuse-task", subject: keyOf(event) }] };
}

/** Refusals are counted by task subject; the prefix keeps these counts apart from those of other policies. */
function keyOf({ subject }: HookEvent<"TaskCompleted">): string {
  return `rules ${subject.trim().slice(0, 50)}`;
}

function taskRefusals(event: HookEvent<"TaskCompleted">, { session }: Known): number {
  return own(session.tasks ?? {}, keyOf(event)) ?? 0;
}

function written(path: string, endings: readonly string[]): TouchedFile {
  return { path, spelled: path, effect: "write", kind: fileKind(path, endings), how: "path", isThere: true };
}
