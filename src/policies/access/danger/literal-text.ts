/** One text that a program is given: the commands, the removing calls and the statements in it. */

import { names } from "../../../lib/name-table.ts";
import { text } from "../../../lib/text.ts";
import { commandsInText, listedCommands, quoted } from "../../../reading/programs/commands-in-text.ts";
import { skeletonOf } from "../../../reading/programs/skeleton.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import { type Danger, type DangerContext, shown } from "./danger.ts";
import { isDatabaseClient } from "./data.ts";
import { placesRemoved } from "./program-removals.ts";
import { statementLoss } from "./statements.ts";

type Read = (command: string) => readonly Danger[];

/** `wrapper rm -rf x`: the words from a command's name on. */
export function inWords(invocation: Invocation, at: number, read: Read): readonly Danger[] {
  const command = invocation.args.slice(at, at + WORDS_MAX).map(({ text: word }) => quoted(word));
  return weighed(read(command.join(" "))[0], invocation, true);
}

const WORDS_MAX = 12;

export function inText(literal: string, invocation: Invocation, ground: DangerContext, read: Read): readonly Danger[] {
  const commands = commandsInText(literal).flatMap(({ command, certain }) =>
    weighed(worstOf(command, read), invocation, certain),
  );
  const listed = listedCommands(literal).flatMap((command) => weighed(worstOf(command, read), invocation, true));
  // A database's own client is judged with all its options.
  const statements = isDatabaseClient(invocation.name ?? "") ? [] : inStatement(literal, invocation);
  return [...commands, ...listed, ...statements, ...removedIn(literal, invocation, ground)];
}

/** A call in a language of its own: `<delete dir="/x"/>`, `DeleteDirectory["/x"]`. */
export function removedIn(
  literal: string,
  { cwd, name = "", remote }: Invocation,
  ground: DangerContext,
): readonly Danger[] {
  if (remote || literal.length > CODE_MAX || !/[("'[]/.test(literal)) return [];
  return placesRemoved(skeletonOf("", literal), { language: name, text: literal, cwd }, ground);
}

const CODE_MAX = 32_000;

function worstOf(command: string, read: Read): Danger | undefined {
  return read(command)[0];
}

/** Certain: denied as the command itself would be. Otherwise, and where git was not asked what is lost: a question. */
function weighed(worst: Danger | undefined, invocation: Invocation, isCertain: boolean): readonly Danger[] {
  if (worst?.decision !== "deny" || (!isCertain && !worst.floor)) return [];
  const { family: _, agreement: __, floor: ___, ...danger } = worst;
  const isOwn = /^[^/~].*\//.test(invocation.word.text);
  const sure = isCertain && worst.floor && !isOwn && !invocation.remote;
  return [{ ...danger, decision: sure ? "deny" : "ask", what: inside(worst, invocation) }];
}

function inside({ what }: Danger, invocation: Invocation) {
  const by = shown(invocation);
  return text(`${what.en} (in the text given to \`${by}\`)`, `${what.ja}（\`${by}\` に渡す文字列の中）`);
}

/** They hand their input to a server. */
const RELAYS = names("nc ncat netcat socat telnet");
const startsPattern = (): RegExp => /(?:^|[;"'`(=])\s*(?:drop|truncate|delete)\s/i;

/** A statement that begins the text, a string or a value in it. */
function inStatement(literal: string, invocation: Invocation): readonly Danger[] {
  const flushes = RELAYS.has(invocation.name ?? "") && /^flush_?(?:all|db)\b/i.test(literal);
  if (!flushes && !startsPattern().test(literal)) return [];
  const loss = flushes ? "database" : statementLoss(literal);
  if (loss !== "database" && loss !== "table") return [];
  const by = shown(invocation);
  return [
    {
      decision: "ask",
      what: text(
        `A whole table or database would be lost: ${by}.`,
        `テーブルまたはデータベース全体が失われます: ${by}。`,
      ),
      fix: text(
        "Dump it first and let the person confirm which database it is.",
        "先にダンプを取り、対象のデータベースを利用者に確認してください。",
      ),
    },
  ];
}
