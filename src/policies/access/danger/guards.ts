/** Third-party guards: a removed guard, rewritten guard rules. */

import { names } from "../../../lib/name-table.ts";
import { text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import { type Danger, type DangerContext, type Judge, question, shown } from "./danger.ts";

export const guardDanger: Judge = (invocation) => {
  const { name = "", args } = invocation;
  const hooks = args.some(({ text: word }) => word === "hook" || word === "hooks") || HOOK_TOOL.has(name);
  if (!hooks || KEEPS_HOOKS.has(name)) return undefined;
  const words = args.filter(({ text: word }) => !word.startsWith("-")).map(({ text: word }) => word);
  const helps = args.some(({ text: word }) => /^(?:--help|-h|--dry-run)$/.test(word));
  const off = words.slice(0, WORDS_MAX).some((word) => /^(?:uninstall|disable|remove|off|unset)$/.test(word));
  return off && !helps ? question(takenOut(shown(invocation)), LEAVE_IT) : undefined;
};

const WORDS_MAX = 4;
const HOOK_TOOL = names("pre-commit husky lefthook overcommit nah dcg tirith rampart cc-safety-net");
/** Commands for which `hook` means something else or is a search word. */
const KEEPS_HOOKS = names(
  "git gh glab grep egrep fgrep rg ag echo printf find npm pnpm yarn docker kubectl systemctl sekisho cd ls",
);

const guardPlacePattern = (): RegExp =>
  /\/\.(?:config\/)?(?:rampart|nah|dcg|tirith|cc-safety-net|safety-net|ccguard|vectimus|dippy)(?:\/|$)|\/\.[\w-]+\/polic(?:y|ies)(?:\/|\.)/;

/** Rule files of a guard, in the directory where the guard keeps them. */
export function rewritesGuard({ path, literal, elsewhere }: Effect, { home }: DangerContext): Danger | undefined {
  const hidden = literal && !elsewhere && path.includes("/.") && path.startsWith(`${home}/`);
  return hidden && guardPlacePattern().test(path.slice(home.length))
    ? question(
        text(`This changes the rules of another guard: ${path}.`, `別の保護ツールの規則が変わります: ${path}。`),
        LEAVE_IT,
      )
    : undefined;
}

function takenOut(line: string) {
  return text(`This takes out checks that somebody put in: ${line}.`, `設定された検査を外します: ${line}。`);
}

const LEAVE_IT = text(
  "Leave it in place and repair what it reports; taking it out is the person's decision.",
  "そのまま残し、指摘された点を直してください。外すかどうかは利用者が決めます。",
);
