import { askedOr, type IdentityFound } from "../../kernel/facts.ts";
import { definePolicy, pass, remember } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import { standingOf } from "../../state/roles/names.ts";
import { PERSON } from "../../state/roles/presets.ts";
import { leadSettings } from "./example-inbox.ts";

/** Gives a session its name among other agents when it begins, and tells the agent again after compaction. */
export const trackActor = definePolicy({
  id: "track-actor",
  only: "roles",
  on: ["SessionStart"],
  needs: ["session", "settings", "identity"],
  needsIf: { identity: ({ settings }) => settings.roles.preset !== "off" },
  why: text(
    "Messages find a session by its name, so the name is fixed when the session begins.",
    "メッセージは名前で届くため、名前はセッションの開始時に決まります。",
  ),

  check({ event, facts: { session, settings, identity } }) {
    if (settings.roles.preset === "off") return pass;
    const { name, refused, ...why } = askedOr(identity, {});
    // A conversation that goes on keeps its name.
    const isFixed = session.actor !== undefined && (event.source === "compact" || name === undefined);
    const actor = isFixed ? session.actor : name;
    if (actor === undefined) return refused === undefined ? pass : { ...pass, notices: [refusal(refused, why)] };
    const change = { record: "session", do: "actor", name: actor } as const;
    return { ...(actor === session.actor ? pass : remember(change)), notes: [wordsFor(actor, settings.roles)] };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "SessionStart", source: "startup" },
      given: { settings: leadSettings, identity: { name: "worker1" } },
    },
  ],
});

function wordsFor(actor: string, roles: Parameters<typeof standingOf>[1]): Text {
  const { supervisor } = standingOf(actor, roles);
  const above = supervisor === "" ? ["", ""] : [` You report to ${supervisor}.`, `報告先は ${supervisor} です。`];
  return text(
    `You are ${actor}.${above[0]} \`sekisho inbox\` and \`sekisho task\` reach the other agents; \`sekisho agents\` lists them.`,
    `あなたは ${actor} です。${above[1]}他のエージェントとは \`sekisho inbox\` と \`sekisho task\` でやり取りします。一覧は \`sekisho agents\`。`,
  );
}

function refusal(given: string, { heldBy, like, below }: Pick<IdentityFound, "heldBy" | "like" | "below">): Text {
  const name = inline(given, 40);
  if (like === PERSON) {
    return text(
      `The name ${name} stands for you, so no session can have it. This session gets no messages.`,
      `名前 ${name} は利用者を表すため、セッションには使えません。このセッションにメッセージは届きません。`,
    );
  }
  if (like !== undefined) {
    return text(
      `The name ${name} can be mistaken for ${like}. This session gets no messages.`,
      `名前 ${name} は ${like} と紛らわしいため使えません。このセッションにメッセージは届きません。`,
    );
  }
  if (below !== undefined) {
    return text(
      `${below} started this session, and ${name} does not report to ${below}. This session gets no messages.`,
      `このセッションは ${below} が開始しましたが、${name} は ${below} の配下ではありません。このセッションにメッセージは届きません。`,
    );
  }
  if (heldBy === undefined) {
    return text(
      `"${name}" is no name for an agent: letters, digits, _ and - only. The session gets no messages.`,
      `「${name}」は英数字と _ - だけの名前ではないため、このセッションにメッセージは届きません。`,
    );
  }
  return text(
    `The name ${name} belongs to session ${heldBy.slice(0, 8)}, which is running. This session gets no messages.`,
    `名前 ${name} は実行中のセッション ${heldBy.slice(0, 8)} のものです。このセッションにメッセージは届きません。`,
  );
}
