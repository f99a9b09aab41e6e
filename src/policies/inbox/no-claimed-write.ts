import { askedOr } from "../../kernel/facts.ts";
import { ask, definePolicy, deny, type Example, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { standingOf } from "../../state/roles/names.ts";
import { defaultSettings } from "../../state/settings/settings.ts";
import { bash, edit, PLACE, read } from "../example.ts";
import { agree, fixFor, wordsFor } from "./claim-words.ts";

/** IN-4 RACE-001: two agents that change the same file undo each other's work. */
export const noClaimedWrite = definePolicy({
  id: "no-claimed-write",
  on: ["PreToolUse"],
  needs: ["now", "session", "settings", "claimed"],
  needsIf: { claimed: ({ settings, session }) => settings.inbox.claims !== "off" || session.actor !== undefined },
  ofTheMoment: true,
  why: text(
    "Two agents that change one file at the same time undo each other's work.",
    "二つのエージェントが同じファイルを同時に変えると、互いの作業を壊します。",
  ),
  applies: (_, operation) => operation.effects.some(({ kind }) => kind === "write" || kind === "delete"),

  check({ facts: { now, session, settings, claimed } }) {
    const [first, ...others] = askedOr(claimed, []);
    if (!first) return pass;
    const role =
      settings.roles.preset === "off" || !session.actor ? undefined : standingOf(session.actor, settings.roles);
    const rule = role?.claims ?? settings.inbox.claims;
    if (rule === "off") return pass;
    const what = wordsFor(first, others.length, now);
    if (rule === "ask") return ask({ what, fix: fixFor(first) });
    if (rule === "deny") return deny({ what, fix: fixFor(first) });
    const notice = `claim ${first.session.slice(0, 8)} ${first.path}`.slice(0, 120);
    if (session.shown.includes(notice)) return pass;
    return { ...pass, notes: [agree(what, first)], changes: [{ record: "session", do: "show", notice }] };
  },

  get examples(): readonly Example[] {
    const claimed = [{ path: `${PLACE}/a.ts`, session: "other-session", name: "worker2", at: 0 }];
    const under = (claims: "tell" | "ask" | "deny" | "off") => ({
      claimed,
      settings: { ...defaultSettings, inbox: { ...defaultSettings.inbox, claims } },
    });
    return [
      { expect: "pass", when: edit(`${PLACE}/a.ts`) },
      { expect: "pass", when: edit(`${PLACE}/a.ts`), given: under("tell") },
      { expect: "ask", when: edit(`${PLACE}/a.ts`), given: under("ask") },
      { expect: "deny", when: bash("sed -i s/a/b/ a.ts"), given: under("deny") },
      { expect: "pass", when: edit(`${PLACE}/a.ts`), given: under("off") },
      { expect: "pass", when: read(`${PLACE}/a.ts`), given: under("deny") },
    ];
  },
});
