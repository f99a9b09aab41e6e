import type { Effect } from "../../kernel/operation-effects.ts";
import { definePolicy, remember } from "../../kernel/policy.ts";
import { text } from "../../kernel/text.ts";
import { bash, read, write } from "../example.ts";

const PATHS_MAX = 8;
/** A record is small; what is longer than that no script is called by. */
const PATH_CHARS_MAX = 160;

/** What the tools of a session were to write: a script among it is held to what a command is held to. */
export const trackWritten = definePolicy({
  id: "track-written",
  on: ["PreToolUse"],
  needs: ["targets"],
  why: text(
    "A script that was written a moment ago is a command in another place.",
    "いま書かれたスクリプトは、場所を変えたコマンドにすぎない。",
  ),
  applies: (_, operation) => operation.effects.some(isWriting),

  check({ operation, facts }) {
    const names = operation.effects.filter(isWriting).map(({ path }) => facts.targets[path] ?? path);
    const paths = [...new Set(names)].filter((path) => path.length <= PATH_CHARS_MAX).slice(0, PATHS_MAX);
    return paths.length === 0 ? remember() : remember({ record: "session", do: "write", paths });
  },

  examples: [
    { expect: "pass", when: write("/home/dev/project/x.sh", "make\n") },
    { expect: "pass", when: bash("echo make > x.sh") },
    { expect: "pass", when: read("/home/dev/project/x.sh") },
  ],
});

/** What git brings was written by others, long ago. */
function isWriting({ kind, literal, glob, elsewhere, by, path }: Effect): boolean {
  return kind === "write" && literal && !glob && !elsewhere && by !== "git" && path.startsWith("/");
}
