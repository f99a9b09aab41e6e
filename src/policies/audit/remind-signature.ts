import { definePolicy, pass } from "../../kernel/policy.ts";
import { inline, type Text, text } from "../../lib/text.ts";
import type { VoidReason } from "../../state/signed.ts";

const DAY_MS = 86_400_000;

/** Reports actions that were recorded in a person's name without the person's signature, and an exchanged key file. */
export const remindSignature = definePolicy({
  id: "remind-signature",
  on: ["SessionStart", "UserPromptSubmit"],
  needs: ["voided", "keyFile", "session", "now"],
  floor: true,
  why: text(
    "Whoever can write files as this user can write into the journal. A record that only looks like a person's grants nothing, and the person should know that somebody tried.",
    "このユーザーとしてファイルを書けるものは、記録にも書き込める。人の操作に見せかけた記録では何も許可されない。試みがあったことは本人が知るべきである。",
  ),

  check({ facts: { voided, keyFile, session, now } }) {
    const claims = voided
      .filter(({ rid, at }) => now - at < DAY_MS && !session.shown.includes(rid))
      .map(({ rid, action, why }) => ({ id: rid, words: claimWords(inline(action, 40), why) }));
    const files = keyFile === "as-named" || session.shown.includes(`key ${keyFile}`) ? [] : [keyFile];
    const told = [...claims, ...files.map((state) => ({ id: `key ${state}`, words: FILES[state] }))];
    return {
      ...pass,
      notices: told.map(({ words }) => words),
      changes: told.map(({ id }) => ({ record: "session", do: "show", notice: id })),
    };
  },

  examples: [
    { expect: "pass", when: { name: "SessionStart", source: "startup" } },
    {
      expect: "pass",
      when: { name: "UserPromptSubmit", prompt: "go on" },
      given: { voided: [{ rid: "mr3x91a2", at: 0, action: "pause", why: "unsigned" }] },
    },
    { expect: "pass", when: { name: "SessionStart", source: "startup" }, given: { keyFile: "other" } },
  ],
});

const REASONS: Readonly<Record<VoidReason, Text>> = {
  unsigned: text("it has no signature", "署名がありません"),
  forged: text("its signature is wrong", "署名が正しくありません"),
  replayed: text("it repeats an earlier record", "以前の記録の繰り返しです"),
  "no-key": text("your key is missing", "鍵がありません"),
};

function claimWords(action: string, why: VoidReason): Text {
  return text(
    `a record in the journal claims that you ran \`sekisho ${action}\`, but ${REASONS[why].en}. It does not count. If it was not you, see \`sekisho audit verify\`.`,
    `あなたが \`sekisho ${action}\` を実行したという記録がありますが、${REASONS[why].ja}。この記録は無効です。心当たりがなければ \`sekisho audit verify\` で確認してください。`,
  );
}

const FILES: Readonly<Record<"other" | "gone", Text>> = {
  other: text(
    "the file with your key is not the one that the hooks name: somebody may have exchanged it. Your commands grant nothing until `sekisho doctor` is content.",
    "鍵のファイルが、フックに書かれた鍵と一致しません。差し替えられたおそれがあります。`sekisho doctor` の指摘を解消するまで、許可の操作は無効です。",
  ),
  gone: text(
    "the file with your key is gone, so your commands can grant nothing. `sekisho doctor` says what to do.",
    "鍵のファイルがなくなっているため、許可の操作ができません。対処は `sekisho doctor` で確認できます。",
  ),
};
