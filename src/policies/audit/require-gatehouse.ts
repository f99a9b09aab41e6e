import { definePolicy, deny, pass } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";

/** Refuses a Stop once if the daemon was down during the turn: calls that were blocked then can be repeated now. */
export const requireGatehouse = definePolicy({
  id: "require-gatehouse",
  on: ["SessionStart", "UserPromptSubmit", "Stop"],
  needs: ["gatehouse"],
  bound: 5,
  level: "house",
  why: text(
    "While the gatehouse does not answer, changes are held back; a run that nobody watches must not end for that.",
    "ゲートハウスが応答しない間、変更は止められる。見守る人のいない作業がそれだけで終わってはならない。",
  ),

  check({ event, facts }) {
    const { found, now, detail } = facts.gatehouse;
    // If the hooks rely on the daemon, a missing one is as bad as one that is down.
    if (found === "up" || now === "none") return pass;
    const notices = [told(found, now, detail)];
    if (now !== "up" || found === "other-version") return { ...pass, notices };
    if (event.name !== "Stop") return { ...pass, notices, notes: [BACK] };
    return deny({
      what: text(
        "The gatehouse was down, so changes may have been held back. It is up again.",
        "ゲートハウスが止まっていたため、変更が止められた可能性があります。いまは復旧しました。",
      ),
      fix: text(
        "Go on where you were held back; if nothing was, end your turn again.",
        "止められた所から続けてください。何も止められていなければ、そのまま終えてください。",
      ),
    });
  },

  examples: [
    { expect: "pass", when: { name: "Stop" }, given: { gatehouse: { found: "up", now: "up", detail: "" } } },
    { expect: "deny", when: { name: "Stop" }, given: { gatehouse: { found: "down", now: "up", detail: "" } } },
    { expect: "pass", when: { name: "Stop" }, given: { gatehouse: { found: "down", now: "down", detail: "x" } } },
    { expect: "pass", when: { name: "Stop" }, given: { gatehouse: { found: "none", now: "none", detail: "" } } },
    {
      expect: "pass",
      when: { name: "SessionStart", source: "startup" },
      given: { gatehouse: { found: "stranger", now: "plain", detail: "x" } },
    },
  ],
});

const BACK = text(
  "Sekisho's gatehouse was down and is up again; changes that were refused with a connection error can be tried again.",
  "関所のゲートハウスが止まっていましたが復旧しました。接続エラーで止められた変更はやり直せます。",
);

function told(found: string, now: string, detail: string): ReturnType<typeof text> {
  const why = detail === "" ? "" : ` (${detail})`;
  if (now === "up") {
    return found === "other-version"
      ? text(`the gatehouse was moved to this version${why}`, `ゲートハウスをこの版に切り替えました${why}`)
      : text(
          `the gatehouse was down${why} and was started again`,
          `ゲートハウスが止まっていたため${why}再起動しました`,
        );
  }
  if (now === "plain") {
    return text(
      `the gatehouse cannot be trusted or started${why}: the hooks were moved to the plain lane. \`sekisho doctor\` tells more`,
      `ゲートハウスを信頼または起動できないため${why}、フックを plain レーンへ移しました。詳しくは \`sekisho doctor\``,
    );
  }
  return text(
    `the gatehouse is down${why}: changes are refused until it is up. Run \`sekisho doctor --fix\``,
    `ゲートハウスが停止しています${why}。復旧まで変更は拒否されます。\`sekisho doctor --fix\` を実行してください`,
  );
}
