/** Texts from which the client itself runs commands, past every gate: those of skills, commands and subagents. */
import type { Tool } from "../../kernel/event.ts";
import type { Operation } from "../../kernel/operation.ts";
import type { Effect } from "../../kernel/operation-effects.ts";
import { ask, pass, type Ruling } from "../../kernel/policy.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";
import { inline, text } from "../../kernel/text.ts";

const clientTextsPattern = (): RegExp => /\/\.claude\/(?:skills|commands|agents)(?:\/|$)/;

/** As the client reads them: a command in place, a block of them, and what the head of a file can register. */
const runsPattern = (): RegExp => /!`|^\s*(?:`{3,}|~{3,})!|^\s*["']?(?:hooks|mcpServers)["']?\s*:/m;
/** Half of such a mark; the other half may be in the file already. */
const halfPattern = (): RegExp => /^`|!$/;

/** A text that only speaks passes. What cannot be seen from here, or what would run something, is for a person. */
export function onClientText(tool: Tool, { effects }: Operation, targets: Readonly<Record<string, string>>): Ruling {
  const written = effects.find(
    (effect) =>
      effect.kind === "write" &&
      !effect.elsewhere &&
      effect.by !== "mkdir" &&
      isClientText(targets[effect.path] ?? effect.path) &&
      couldRun(tool, effect),
  );
  if (!written) return pass;
  const file = inline(written.spelled, 100);
  return ask({
    what: text(
      `${file} could get commands that the client runs by itself, without asking Sekisho (!\`…\`, \`hooks:\`).`,
      `${file} に、関所を通さずにクライアントが自ら実行するコマンド (!\`…\`, \`hooks:\`) が加わるおそれがあります。`,
    ),
    fix: text(
      "Write it with Write or Edit and without such commands, or let a person confirm it.",
      "Write か Edit で、そのようなコマンドなしに書くか、利用者に確認してもらってください。",
    ),
  });
}

function isClientText(path: string): boolean {
  return path.includes("/.claude/") && clientTextsPattern().test(path);
}

function couldRun(tool: Tool, { invocation }: Effect): boolean {
  if (tool.kind === "write") return runsPattern().test(tool.content);
  if (tool.kind === "edit")
    return tool.edits.some((edit) => runsPattern().test(edit.new) || halfPattern().test(edit.new));
  const shown = invocation && shownBy(invocation);
  return shown === undefined || runsPattern().test(shown) || halfPattern().test(shown.trim());
}

/** `cat > file <<'X'` and `echo … > file`: the text stands on the line. Of any other command's writing only the name does. */
function shownBy({ name, args, stdin }: Invocation): string | undefined {
  if (name === "touch") return "";
  if (name === "cat" && args.length === 0) return stdin?.text;
  if (name !== "echo" || args.some(({ literal, text: word }) => !literal || word.includes("\\"))) return undefined;
  return args.map(({ text: word }) => word).join(" ");
}
