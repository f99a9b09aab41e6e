/** Third-party guards: another agent started without its own checks, a removed guard, rewritten guard rules. */

import { names } from "../../../lib/name-table.ts";
import { text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import { hasOption } from "../../../reading/shell/parse/options.ts";
import { type Danger, type DangerContext, type Judge, question, shown } from "./danger.ts";

const AGENT = names(
  "claude codex gemini qwen opencode pi aider cursor-agent copilot goose amp crush droid cline auggie kimi",
);
const unguardedPattern = (): RegExp =>
  /^--(?:dangerously-\S+|allow-dangerously-\S+|safe-mode|yolo|full-auto|no-extensions|no-hooks|no-sandbox|allow-all\S*|yes-always|skip-permissions\S*|trust-all\S*|auto-approve|permission-mode[= ]bypassPermissions|sandbox[= ]danger-full-access|approval-mode[= ]yolo|ask-for-approval[= ]never)$|^-s danger-full-access$|^-a never$/;

export const guardDanger: Judge = (invocation) => {
  const { name = "", args } = invocation;
  if (AGENT.has(name)) {
    const words = args.map(({ text: word }, at) =>
      /^(?:--(?:permission-mode|sandbox|approval-mode|ask-for-approval)|-[sa])$/.test(word)
        ? `${word} ${args[at + 1]?.text ?? ""}`
        : word,
    );
    const bare =
      words.some((word) => unguardedPattern().test(word)) || (/^(?:gemini|qwen)$/.test(name) && hasOption(args, "y"));
    return bare ? question(agentAlone(shown(invocation)), WITH_ITS_GUARD) : undefined;
  }
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

function agentAlone(line: string) {
  return text(
    `This starts another agent with its own checks switched off: ${line}.`,
    `別のエージェントを、確認を切った状態で起動します: ${line}。`,
  );
}

function takenOut(line: string) {
  return text(`This takes out checks that somebody put in: ${line}.`, `設定された検査を外します: ${line}。`);
}

const WITH_ITS_GUARD = text(
  "Start it without that option, so that it asks before it acts.",
  "その指定を外し、実行前に確認する状態で起動してください。",
);
const LEAVE_IT = text(
  "Leave it in place and repair what it reports; taking it out is the person's decision.",
  "そのまま残し、指摘された点を直してください。外すかどうかは利用者が決めます。",
);
