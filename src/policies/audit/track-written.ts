import { definePolicy, remember } from "../../kernel/policy.ts";
import { text } from "../../lib/text.ts";
import type { Effect } from "../../reading/operation/effects.ts";
import { bash, read, write } from "../example.ts";

const PATHS_MAX = 8;
/** Keeps records small; scripts do not have longer paths. */
const PATH_CHARS_MAX = 160;

/** Remembers the files that the session writes: a script among them is judged like a command. */
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

/** Files checked out by git were not written by this session. */
function isWriting({ kind, literal, glob, elsewhere, by, path }: Effect): boolean {
  return kind === "write" && literal && !glob && !elsewhere && by !== "git" && path.startsWith("/");
}
