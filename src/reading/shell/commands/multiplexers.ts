/** Commands that `tmux` and `screen` run in their panes, behind their server, or later. */

import { operandStart } from "../parse/options.ts";
import { literalWord, type Word } from "../parse/reading.ts";
import { argsOf, type Call, emit, type Handler, inside } from "../walk/call.ts";
import { joined } from "../walk/elsewhere.ts";

/** `tmux new 'command'`, `screen -dm command`: the operands run in a shell. */
export const multiplexer: Handler = (call) => {
  const args = argsOf(call);
  const noted = emit(call);
  const start = operandStart(args, { short: "cfLST" });
  const server = args.slice(0, start);
  const isTmux = /tmux|tmate|byobu/.test(call.argv[0]?.text ?? "");
  if (!isTmux) {
    const words = args.slice(operandStart(args, { short: "cefFnstxyS" }));
    if (words.length > 0 && args[0]?.text.startsWith("-")) run(call, words);
    return noted;
  }
  for (const [verb, ...rest] of linesOf(args.slice(start))) {
    const row = verb && ROWS.find(({ verbs }) => verbs.test(verb.text));
    if (row) runRow(call, row, rest, server);
  }
  for (const { text, literal } of args) if (literal) runFormats(call, text);
  return noted;
};

interface Row {
  readonly verbs: RegExp;
  /** Options with a value. */
  readonly short: string;
  /** How many operands come before the command. */
  readonly skip?: number;
  /** The command is one of tmux's own. */
  readonly own?: true;
  /** `if-shell`: a command of the shell, then two of tmux's. */
  readonly both?: true;
}

const ROWS: readonly Row[] = [
  { verbs: /^(?:new(?:-s\w*|-w\w*)?|neww|split-?w\w*|respawn-?[pw]\w*)$/, short: "cefFnstxy" },
  { verbs: /^send(?:-k\w*)?$/, short: "Nct" },
  { verbs: /^run(?:-s\w*)?$/, short: "cdt" },
  { verbs: /^(?:display-popup|popup)$/, short: "bcdehsStTwxy" },
  { verbs: /^pipe-?p\w*$/, short: "t" },
  { verbs: /^set(?:-o\w*|-w\w*|w)?$/, short: "t", skip: 1 },
  { verbs: /^if(?:-s\w*)?$/, short: "t", both: true },
  { verbs: /^bind(?:-k\w*)?$/, short: "NT", skip: 1, own: true },
  { verbs: /^set-h\w*$/, short: "t", skip: 1, own: true },
  { verbs: /^(?:confirm(?:-b\w*)?|command-p\w*)$/, short: "cIptT", own: true },
  { verbs: /^(?:choose-\w+|display-menu|menu)$/, short: "bcCFfHKOtTxy", own: true },
];

function runRow(
  call: Call,
  { verbs, short, skip = 0, own, both }: Row,
  args: readonly Word[],
  server: readonly Word[],
) {
  const operands = args.slice(operandStart(args, { short }));
  const words = operands.slice(skip).filter(({ text }) => text !== "Enter" && text !== "C-m");
  // Options that hold a command; others hold plain text.
  if (verbs.test("set") && !/^default-(?:command|shell)$/.test(operands[0]?.text ?? "")) return;
  if (words.length === 0) return;
  const inTmux = (command: readonly Word[]): void => run(call, [literalWord("tmux"), ...server, ...command]);
  if (own) return inTmux(words);
  if (!both) return run(call, args.some(isCopyMode) ? words.slice(1) : words);
  const [condition, ...commands] = words;
  if (condition) run(call, [condition]);
  for (const command of commands) inTmux([command]);
}

/** `send-keys -X copy-pipe COMMAND`. */
const isCopyMode = ({ text }: Word): boolean => /^-[A-Za-z]*X/.test(text);

function run(call: Call, words: readonly Word[]): void {
  if (words.length > 0) call.runner.child(inside(call, []), joined(words));
}

/** `#(command)` in any format, such as the status line. */
function runFormats(call: Call, text: string): void {
  for (const [, command = ""] of text.matchAll(/#\(((?:[^()]|\([^()]*\))*)\)/g)) run(call, [literalWord(command)]);
}

/** Commands that `;` separates. */
function linesOf(args: readonly Word[]): readonly (readonly Word[])[] {
  const lines: Word[][] = [[]];
  for (const word of args) {
    const ends = word.literal && /;$/.test(word.text);
    if (word.text !== ";") lines.at(-1)?.push(ends ? { ...word, text: word.text.slice(0, -1) } : word);
    if (ends) lines.push([]);
  }
  return lines;
}
