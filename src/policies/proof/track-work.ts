import { fileKind } from "../../kernel/file-kind.ts";
import { changes } from "../../kernel/operation.ts";
import type { Effect } from "../../kernel/operation-effects.ts";
import { within } from "../../kernel/paths.ts";
import { definePolicy, remember } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";
import { own } from "../../state/keyed.ts";
import { bash, edit, PLACE, read } from "../example.ts";

const PATHS_MAX = 3;
const PATH_CHARS_MAX = 120;

/** Whatever could change files is noted with the work tree it stands in; the first of it with that tree's digest. */
export const trackWork = definePolicy({
  id: "track-work",
  on: ["PreToolUse"],
  needs: ["session", "workplace"],
  why: text(
    "What a session owes when it ends is known by what it has changed.",
    "終わりに何を確かめるべきかは、何を変えたかで決まる。",
  ),
  applies: (event, operation) => event.call !== "" && changes(operation),

  check({ event, operation, facts }) {
    const { root, digest, definitions = {} } = facts.workplace;
    const isFirst = own(facts.session.work ?? {}, root) === undefined;
    const base = digest && "code" in digest ? digest.code : "";
    const code = [...new Set(operation.effects.filter(isCode).map(({ path }) => fromRoot(path, root)))];
    const begun = {
      record: "work",
      do: "begin",
      id: event.call,
      root,
      ...(isFirst && { base }),
      ...(code.length > 0 && { code: code.slice(0, PATHS_MAX) }),
    } as const;
    const isMet = Object.keys(definitions).length > 0;
    return isMet ? remember(begun, { record: "check", do: "define", root, definitions }) : remember(begun);
  },

  examples: [
    { expect: "pass", when: edit(`${PLACE}/a.ts`) },
    { expect: "pass", when: bash("sed -i s/a/b/ a.ts") },
    { expect: "pass", when: read(`${PLACE}/a.ts`) },
  ],
});

function isCode({ kind, path, elsewhere }: Effect): boolean {
  return (kind === "write" || kind === "delete") && !elsewhere && fileKind(path) === "code";
}

function fromRoot(path: string, root: string): string {
  return (within(path, root) ? path.slice(root.length + 1) : path).slice(-PATH_CHARS_MAX);
}
