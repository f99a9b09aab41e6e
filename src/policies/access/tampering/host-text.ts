/** Files by which the host runs commands itself, without a hook: texts of skills and subagents, and lists of servers. */

import type { HostTraits } from "../../../kernel/host-traits.ts";
import { ask, pass, type Ruling } from "../../../kernel/policy.ts";
import { inline, text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import type { Operation } from "../../../reading/operation/operation.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import type { Tool } from "../../../reading/tool.ts";

/** A plain text passes. Unknown text, or text that would run something, needs a person's confirmation. */
export function onHostText(
  tool: Tool,
  { effects }: Operation,
  { targets, host }: { readonly targets: Readonly<Record<string, string>>; readonly host: HostTraits },
): Ruling {
  const written = effects.find(
    (effect) =>
      effect.kind === "write" &&
      !effect.elsewhere &&
      effect.by !== "mkdir" &&
      couldRun(tool, effect, targets[effect.path] ?? effect.path, host),
  );
  if (!written) return pass;
  const file = inline(written.spelled, 100);
  return ask({
    what: text(
      `${file} could get commands that the client runs by itself, without asking Sekisho (!\`…\`, \`hooks:\`, a server).`,
      `${file} に、関所を通さずにクライアントが自ら実行するコマンド (!\`…\`, \`hooks:\`、サーバー) が加わるおそれがあります。`,
    ),
    fix: text(
      "Write it with Write or Edit and without such commands, or let a person confirm it.",
      "Write か Edit で、そのようなコマンドなしに書くか、利用者に確認してもらってください。",
    ),
  });
}

function isHostText(path: string, { directory, textPaths }: HostTraits): boolean {
  return path.includes(`/${directory}/`) && textPaths.test(path);
}

function couldRun(tool: Tool, effect: Effect, path: string, host: HostTraits): boolean {
  if (path.endsWith(".json") && host.serverFiles.test(path)) return !(tool.kind === "write" && isEmpty(tool.content));
  return isHostText(path, host) && couldRunText(tool, effect, host);
}

/** A list without servers. */
function isEmpty(content: string): boolean {
  return /^\s*\{\s*(?:"\w+"\s*:\s*\{\s*\}\s*)?\}\s*$/.test(content);
}

function couldRunText(
  tool: Tool,
  { invocation }: Effect,
  { textCommands: runs, textHalves: halves }: HostTraits,
): boolean {
  if (tool.kind === "write") return runs.test(tool.content);
  if (tool.kind === "edit") return tool.edits.some((edit) => runs.test(edit.new) || halves.test(edit.new));
  const shown = invocation && shownBy(invocation);
  return shown === undefined || runs.test(shown) || halves.test(shown.trim());
}

/**
 * The text written by `cat > file <<'X'` and `echo … > file`; undefined for other commands, whose output is unknown.
 */
function shownBy({ name, args, stdin }: Invocation): string | undefined {
  if (name === "touch") return "";
  if (name === "cat" && args.length === 0) return stdin?.text;
  if (name !== "echo" || args.some(({ literal, text: word }) => !literal || word.includes("\\"))) return undefined;
  return args.map(({ text: word }) => word).join(" ");
}
