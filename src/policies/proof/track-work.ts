import type { Workplace } from "../../evidence/tree.ts";
import { definePolicy, remember } from "../../kernel/policy.ts";
import { own } from "../../lib/keyed.ts";
import { within } from "../../lib/paths.ts";
import { maskTokens } from "../../lib/secrets.ts";
import { text } from "../../lib/text.ts";
import type { Effect } from "../../reading/operation/effects.ts";
import { fileKind } from "../../reading/operation/file-kind.ts";
import { onlyMoves } from "../../reading/operation/git-moves.ts";
import { changes } from "../../reading/operation/operation.ts";
import type { Change } from "../../state/change.ts";
import type { Session } from "../../state/session/session.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { bash, edit, PLACE, read } from "../example.ts";

const PATHS_MAX = 3;
const PATH_CHARS_MAX = 120;

/** Notes the work tree of every tool use that could change files, and the tree's digest at the first one. */
export const trackWork = definePolicy({
  id: "track-work",
  on: ["PreToolUse"],
  needs: ["session", "settings", "workplace"],
  why: text(
    "What a session owes when it ends is known by what it has changed.",
    "終わりに何を確かめるべきかは、何を変えたかで決まる。",
  ),
  applies: (event, operation) => event.call !== "" && changes(operation),

  check({ event, operation, facts }) {
    const { beside = [], ...itself } = facts.workplace;
    const moves = onlyMoves(operation);
    const changed = moves ? [] : operation.effects.filter((effect) => isCode(effect, facts.settings));
    const code = changed.map(({ path }) => path);
    const others = beside.map((place) => begunIn(place, code, facts.session, 1));
    const begun = begunIn(itself, code, facts.session, PATHS_MAX);
    return remember(
      {
        record: "work",
        do: "begin",
        id: event.call,
        ...begun,
        ...(others.length > 0 && { beside: others }),
        ...(moves && { moves }),
      },
      ...[itself, ...beside].flatMap(definedIn),
    );
  },

  examples: [
    { expect: "pass", when: edit(`${PLACE}/a.ts`) },
    { expect: "pass", when: bash("sed -i s/a/b/ a.ts") },
    { expect: "pass", when: read(`${PLACE}/a.ts`) },
  ],
});

function isCode({ kind, path, elsewhere }: Effect, { gates }: Settings): boolean {
  return (kind === "write" || kind === "delete") && !elsewhere && fileKind(path, gates.code_extensions) === "code";
}

/** Code outside the work tree is scratch work and needs no check. */
function begunIn({ root, digest }: Workplace, paths: readonly string[], { work = {} }: Session, max: number) {
  const isFirst = own(work, root) === undefined;
  const base = digest && "code" in digest ? digest.code : "";
  const inside = paths.filter((path) => within(path, root));
  const code = [...new Set(inside.map((path) => maskTokens(path.slice(root.length + 1)).slice(-PATH_CHARS_MAX)))];
  return { root, ...(isFirst && { base }), ...(code.length > 0 && { code: code.slice(0, max) }) };
}

/** A check seen here for the first time becomes the definition that counts. */
function definedIn({ root, definitions }: Workplace): readonly Change[] {
  const isAny = definitions !== undefined && Object.keys(definitions).length > 0;
  return isAny ? [{ record: "check", do: "define", root, definitions }] : [];
}
