/**
 * Text in the words and the input of a program that is not known to take plain text: it may run what it is given, so
 * the text is judged as a command, as a path to remove and as SQL.
 */

import { names } from "../../../lib/name-table.ts";
import { text } from "../../../lib/text.ts";
import { commandsInText, listedCommands, quoted } from "../../../reading/programs/commands-in-text.ts";
import { interpreterOf } from "../../../reading/programs/languages.ts";
import { skeletonOf } from "../../../reading/programs/skeleton.ts";
import { takesText } from "../../../reading/programs/text.ts";
import { isShell } from "../../../reading/shell/commands/interpreters.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";
import { type Danger, type DangerContext, shown } from "./danger.ts";
import { isDatabaseClient } from "./data.ts";
import { placesRemoved } from "./program-removals.ts";
import { removedPaths } from "./removed-paths.ts";
import { statementLoss } from "./statements.ts";

type Read = (command: string) => readonly Danger[];

const TEXTS_MAX = 40;

export function literalDangers(invocations: readonly Invocation[], ground: DangerContext, read: Read): Danger[] {
  return invocations.flatMap((invocation) => {
    const { name = "", contained } = invocation;
    if (name === "" || contained || isShell(name)) return [];
    // Their own code is read as a program. `python3 -m timeit "…"` has more of it.
    if (interpreterOf(name))
      return invocation.args.slice(1).flatMap((word) => removedIn(word.text, invocation, ground));
    if (takesText(name)) return [];
    return [
      ...inWords(invocation, read),
      ...textsOf(invocation, invocations).flatMap((literal) => inText(literal, invocation, ground, read)),
      ...removedPaths(invocation, ground),
    ];
  });
}

/** `wrapper rm -rf x`: the words from a command's name on. */
function inWords(invocation: Invocation, read: Read): readonly Danger[] {
  const { args } = invocation;
  const at = args.findIndex(({ text: word, literal }) => literal && isCommand(word));
  if (at < 0 || at === args.length - 1) return [];
  const command = args.slice(at, at + WORDS_MAX).map(({ text: word }) => quoted(word));
  return weighed(read(command.join(" "))[0], invocation, true);
}

const WORDS_MAX = 12;
const commandPattern = (): RegExp => /^(?:\/(?:usr\/)?bin\/)?(?:rm|dd|shred|mkfs(?:\.\w+)?|git|chmod|chown)$/;

function isCommand(word: string): boolean {
  return word.length < 20 && commandPattern().test(word);
}

/** Its words, its input, and the files that the line writes before and names here. */
function textsOf(invocation: Invocation, all: readonly Invocation[]): readonly string[] {
  const { args, stdin } = invocation;
  const words = args.filter(({ literal }) => literal).map(({ text: word }) => word);
  const input = stdin?.text === undefined ? [] : [stdin.text];
  const written = all.flatMap((one) => (one === invocation ? [] : writtenBy(one, args)));
  return [...words.slice(0, TEXTS_MAX), ...input, ...written];
}

function writtenBy({ redirects, stdin }: Invocation, args: readonly Word[]): readonly string[] {
  const target = redirects.find(({ kind }) => kind === "write")?.target.text;
  if (target === undefined || stdin?.text === undefined) return [];
  return args.some(({ text: word }) => word === target) ? [stdin.text] : [];
}

function inText(literal: string, invocation: Invocation, ground: DangerContext, read: Read): readonly Danger[] {
  const commands = commandsInText(literal).flatMap(({ command, certain }) =>
    weighed(worstOf(command, read), invocation, certain),
  );
  const listed = listedCommands(literal).flatMap((command) => weighed(worstOf(command, read), invocation, true));
  // A database's own client is judged with all its options.
  const statements = isDatabaseClient(invocation.name ?? "") ? [] : inStatement(literal, invocation);
  return [...commands, ...listed, ...statements, ...removedIn(literal, invocation, ground)];
}

/** A call in a language of its own: `<delete dir="/x"/>`, `DeleteDirectory["/x"]`. */
function removedIn(literal: string, { cwd, name = "", remote }: Invocation, ground: DangerContext): readonly Danger[] {
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
