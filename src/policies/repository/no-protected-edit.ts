import type { ProtectedFiles } from "../../kernel/facts.ts";
import { definePolicy, deny, type Example, pass, type Ruling } from "../../kernel/policy.ts";
import { names } from "../../lib/name-table.ts";
import { inline, text } from "../../lib/text.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { ProtectedLine } from "../../reading/operation/protected-list.ts";
import type { Settings } from "../../state/settings/settings.ts";
import { bash, edit, PLACE, protecting, read } from "../example.ts";
import { type ReadScript, withScripts } from "../with-scripts.ts";
import { isReached } from "./protected-match.ts";
import { type Reach, reachesOf } from "./reach.ts";

/** Judges which files would change, with any tool, because the list names files and not commands. */
export const noProtectedEdit = definePolicy({
  id: "no-protected-edit",
  on: ["PreToolUse"],
  needs: ["protectedFiles", "settings", "places", "targets", "scripts"],
  hasFloor: true,
  why: text(
    "Some files are a person's word to the agent, or too costly to get wrong; the project's list says which, and an agent cannot shorten it.",
    "人からエージェントへの約束や、誤りの代償が大きいファイルがある。どれかはプロジェクトの一覧が決め、エージェントは一覧を縮められない。",
  ),

  applies: ({ tool }, operation) => tool.kind === "mcp" || tool.kind === "unknown" || mayChangeFiles(operation),

  check({ event, operation, facts }) {
    const { project, home } = facts.places;
    const judge = (one: Pick<ReadScript, "operation" | "targets">): Ruling => {
      const reaches = reachesOf(event.tool, one.operation, { cwd: event.cwd, project, home, targets: one.targets });
      return strictest(facts.protectedFiles, reaches, facts.settings.security);
    };
    const itself = judge({ operation, targets: facts.targets });
    return facts.scripts.length > 0 ? withScripts(itself, facts.scripts, judge) : itself;
  },

  // Built only on demand, because the policies are loaded at every event.
  get examples(): readonly Example[] {
    return [
      { expect: "deny", when: edit(`${PLACE}/CLAUDE.md`), given: protecting("HARD_BLOCK:CLAUDE.md") },
      { expect: "deny", when: bash("sed -i s/a/b/ docs/spec.md"), given: protecting("docs/**") },
      { expect: "deny", when: bash("rm -rf docs"), given: protecting("BLOCK:docs/spec.md") },
      { expect: "pass", when: edit(`${PLACE}/RUNBOOK.md`), given: protecting("WARN:RUNBOOK.md") },
      { expect: "pass", when: read(`${PLACE}/CLAUDE.md`), given: protecting("HARD_BLOCK:CLAUDE.md") },
      { expect: "pass", when: edit(`${PLACE}/src/a.ts`), given: protecting("HARD_BLOCK:CLAUDE.md", "docs/**") },
    ];
  },
});

function strictest(files: readonly ProtectedFiles[], reaches: readonly Reach[], mode: Settings["security"]): Ruling {
  if (reaches.length === 0) return { ...pass, notes: [] };
  const rulings = files.flatMap((file) => {
    const reach = reaches.find((candidate) => isReached(file, candidate));
    return reach ? [rulingOn(file, reach, mode)] : [];
  });
  const refusals = rulings.filter(({ decision }) => decision === "deny");
  const refusal = refusals.find(({ floor }) => floor) ?? refusals[0];
  return refusal ?? { ...pass, notes: rulings.flatMap(({ notes }) => notes ?? []).slice(0, 1) };
}

/** Reads never need the list. */
function mayChangeFiles({ effects, shell }: Operation): boolean {
  if (effects.some(({ kind }) => kind !== "read")) return true;
  if (!shell) return false;
  return shell.programs.length > 0 || shell.invocations.some(({ name = "" }) => !LOOKS.has(name));
}

const LOOKS = names("cat cd echo find grep head ls pwd rg tail test true wc which");

function rulingOn({ level, pattern }: ProtectedLine, { spelled }: Reach, mode: Settings["security"]): Ruling {
  const [file, line] = [inline(spelled, 80), inline(pattern, 60)];
  const what = text(
    `This would change a protected file: ${file} (${level} "${line}").`,
    `保護されたファイルを変更する操作です: ${file} (${level} "${line}")。`,
  );
  if (level === "HARD_BLOCK") return deny({ what, fix: BY_A_PERSON, floor: true });
  if (mode === "developer" || (level === "BLOCK" && mode === "admin")) return pass;
  if (level === "BLOCK" && mode !== "trusted") return deny({ what, fix: ASK_FIRST });
  return { ...pass, notes: [text(`${what.en} ${CAREFULLY.en}`, `${what.ja} ${CAREFULLY.ja}`)] };
}

const BY_A_PERSON = text(
  "Show the person the change you want and let them make it in their own editor. No other tool will do it either.",
  "変更したい内容を利用者に示し、利用者自身のエディターで行ってもらってください。別の手段でも同じ判断になります。",
);
const ASK_FIRST = text(
  "Show the person the change you want. They can make it, let this one pass with `sekisho allow`, or take the line out of `.sekisho/protected`.",
  "変更したい内容を利用者に示してください。利用者は自分で変更するか、`sekisho allow` で今回だけ通すか、`.sekisho/protected` の行を外せます。",
);
const CAREFULLY = text("Go on only if the person asked for it.", "利用者に頼まれた場合だけ続けてください。");
