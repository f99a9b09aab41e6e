import { NAMELESS } from "../../kernel/event.ts";
import { definePolicy, deny } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import { changes } from "../../reading/operation/operation.ts";
import { bash, edit, read } from "../example.ts";

/** Every host names the session of a tool call; one without a name is not from a host that we can hold to anything. */
export const requireSession = definePolicy({
  id: "require-session",
  on: ["PreToolUse"],
  needs: [],
  floor: true,
  why: text(
    "Evidence, permissions and modes belong to a session; a change that names no session could not be held to any of them.",
    "証拠・許可・モードはセッションごとのもの。セッション名のない変更は、そのどれにも照らせない。",
  ),

  applies: ({ session }, operation) => session === NAMELESS && changes(operation),

  check: () => deny({ what: NO_SESSION, fix: START_ANEW }),

  examples: [
    { expect: "deny", when: { ...edit("src/a.ts"), session: NAMELESS } },
    { expect: "deny", when: { ...bash("npm test"), session: NAMELESS } },
    { expect: "pass", when: { ...read("src/a.ts"), session: NAMELESS } },
    { expect: "pass", when: edit("src/a.ts") },
  ],
});

const NO_SESSION = text(
  "This tool call names no session (session_id is missing or malformed), so it cannot be checked.",
  "このツール呼び出しにはセッション名 (session_id) がないか不正で、検査できません。",
);
const START_ANEW = text(
  "Ask the person to start a new session, and to run `sekisho doctor` if this happens again.",
  "新しいセッションを始め、再び起きるなら `sekisho doctor` を実行するよう利用者に頼んでください。",
);
