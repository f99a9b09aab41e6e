/** Commands that type into a terminal or window: the text, and the pane that gets it. */

import { Rows } from "../../lib/name-table.ts";
import { operandStart, optionValue } from "../shell/parse/options.ts";
import type { Invocation, ShellReading, Word } from "../shell/parse/reading.ts";

export interface Typing {
  readonly by: string;
  /** What is typed, as far as the line has it. */
  readonly words: readonly string[];
  /** The pane of tmux, if the line says which. */
  readonly pane?: Pane;
  /** The line itself creates the pane. */
  readonly fresh?: true;
}

export interface Pane {
  /** Options that choose the server. */
  readonly server: readonly string[];
  readonly target: string;
}

export function paneKey({ server, target }: Pane): string {
  return [...server, target].join(" ");
}

/** By program, the words that make it type, or that a word holds (`~`); `*` for a program that does nothing else. */
const TYPISTS = new Rows(`
tmate: send send-keys paste-buffer pasteb source source-file
byobu: send send-keys paste-buffer pasteb
byobu-tmux: send send-keys paste-buffer pasteb
psmux: send send-keys paste-buffer pasteb
screen: stuff ~stuff\u00a0 paste process readbuf source bindkey -r -x -R
zellij: write write-chars paste
wezterm: send-text
kitty: send-text send-key action
kitten: send-text send-key action
xdotool: type key keydown keyup click
ydotool: type key click
kdotool: type key click
wlrctl: type
qdbus: ~sendText ~runCommand
qdbus6: ~sendText ~runCommand
qdbus-qt5: ~sendText ~runCommand
dbus-send: ~sendText ~runCommand
gdbus: ~sendText ~runCommand
busctl: ~sendText ~runCommand
it2: send-text send-key
emacsclient: ~term-send ~vterm-send ~process-send-string
nvim: --remote-send
vim: --remote-send
gvim: --remote-send
dtach: -p -a -A
abduco: -a -A
conspy: *
ttyecho: *
writevt: *
dotool: *
dotoolc: *
wtype: *
xte: *
xvkbd: *
osascript: ~keystroke ~key\u00a0code ~do\u00a0script ~write\u00a0text
cliclick: ~t: ~kp: ~kd:
reptyr: *
expect: ~tmux ~screen
socat: ~tmux ~screen
`);

export function typingIn({ invocations }: ShellReading): readonly Typing[] {
  const here = invocations.filter(({ remote, contained }) => !remote && !contained);
  const panes = here.filter(({ name }) => name === "tmux").flatMap(commandsOf);
  return [...typedByTmux(panes, here), ...here.flatMap(typedByOther)];
}

function typedByOther({ name = "", args }: Invocation): readonly Typing[] {
  const row = TYPISTS.get(name);
  if (row === undefined) return [];
  const words = args.map(({ text }) => text);
  const told = row.split(" ").map((word) => word.replace("\u00a0", " "));
  const types = words.some((word) =>
    told.some((one) => (one.startsWith("~") ? word.includes(one.slice(1)) : word === one)),
  );
  return row === "*" || types ? [{ by: name, words }] : [];
}

/** One of the commands of a tmux line, which `;` separates. */
interface TmuxCommand {
  readonly verb: string;
  readonly args: readonly Word[];
  readonly server: readonly string[] | undefined;
  readonly invocation: Invocation;
}

function commandsOf(invocation: Invocation): readonly TmuxCommand[] {
  const { args, stdin } = invocation;
  const start = operandStart(args, { short: "cfLST" });
  const options = args.slice(0, start);
  const server = serverIn(options, invocation);
  const lines: Word[][] = [[]];
  for (const word of args.slice(start)) {
    const ends = word.literal && /;$/.test(word.text);
    if (word.text !== ";") lines.at(-1)?.push(ends ? { ...word, text: word.text.slice(0, -1) } : word);
    if (ends) lines.push([]);
  }
  // In control mode commands come by the standard input.
  const spoken = options.some(({ text }) => /^-C/.test(text)) ? saysPattern().test(stdin?.text ?? "send") : false;
  return lines
    .map(([first, ...rest]) => ({ verb: first?.text ?? "", args: rest, server, invocation }))
    .concat(spoken ? [{ verb: "send", args: [], server: undefined, invocation }] : []);
}

/** Undefined if another server than the agent's own could be meant. */
function serverIn(options: readonly Word[], { assignments, via }: Invocation): readonly string[] | undefined {
  const named = (["-L", "-S"] as const).flatMap((option) => {
    const value = optionValue(options, [option]);
    return value ? [{ option, value }] : [];
  });
  if (named.some(({ value }) => !value.literal)) return undefined;
  const moved = assignments.some(({ name }) => name.startsWith("TMUX")) || via.includes("env") || via.includes("sudo");
  if (named.length === 0 && moved) return undefined;
  return named.flatMap(({ option, value }) => [option, value.text]);
}

const typesPattern = (): RegExp => /^(?:send|send-k\w*|pasteb|paste-\w*)$/;
const saysPattern = (): RegExp => /\b(?:send(?:-k\w*)?|paste\w*)\b/;
const createsPattern = (): RegExp => /^(?:new|new-s\w*|new-w\w*|neww|splitw|split-\w*)$/;
/** After these a name may mean another pane, or several panes at once. */
const shufflesPattern = (): RegExp => /^(?:swap|move|join|break|rename|link|unlink|respawn|switch|rotate|select|last)/;
/** An agent has no terminal of its own, so it attaches only through a program that types. */
const attachesPattern = (): RegExp => /^(?:a|at|attach|attach-session)$/;
/** Its commands run when the server starts. */
const isUnreadSettings = (file: Word | undefined): boolean =>
  file !== undefined && file.text !== "/dev/null" && !ownSettingsPattern().test(file.text);
const ownSettingsPattern = (): RegExp => /(?:^|\/)(?:\.tmux\.conf|\.config\/tmux\/tmux\.conf)$/;
/** Commands that run other commands of tmux later or on a condition. */
const runsPattern = (): RegExp => /^(?:bind|if|set-hook|confirm|command-prompt|choose-|display-menu|menu)/;

function typedByTmux(all: readonly TmuxCommand[], line: readonly Invocation[]): readonly Typing[] {
  if (all.length === 0) return [];
  const shuffled =
    all.some(({ verb, args }) => shufflesPattern().test(verb) || says(args, /synchronize-panes/)) ||
    line.some(({ name = "", args }) => /^(?:export|unset|declare)$/.test(name) && says(args, /^TMUX/));
  const buffered = all.flatMap(({ verb, args }) => (/^set-?b/.test(verb) ? operandsOf(args) : []));
  return all.flatMap((command): readonly Typing[] => {
    const { verb, args } = command;
    if (typesUnseen(command)) return [{ by: "tmux", words: [] }];
    // `send-keys -X` is a command of the copy mode.
    if (!typesPattern().test(verb) || says(args, /^-[A-Za-z]*X/)) return [];
    const keys = operandsOf(args);
    const words = verb.startsWith("paste") ? [...keys, ...buffered] : keys;
    return [{ by: "tmux", words, ...(shuffled ? {} : paneOf(command, all)) }];
  });
}

/** Commands of tmux that type without naming the keys and the pane here. */
function typesUnseen({ verb, args, invocation }: TmuxCommand): boolean {
  if (invocation.args.some(({ text }, at) => text === "-f" && isUnreadSettings(invocation.args[at + 1]))) return true;
  if (attachesPattern().test(verb)) return true;
  if (/^source/.test(verb)) return !says(args, ownSettingsPattern());
  if (/^pipe-?p/.test(verb)) return says(args, /^-\w*I/);
  return runsPattern().test(verb) && says(args, saysPattern());
}

function operandsOf(args: readonly Word[]): readonly string[] {
  return args.slice(operandStart(args, { short: "cNtbsn" })).map(({ text }) => text);
}

function paneOf({ args, server }: TmuxCommand, all: readonly TmuxCommand[]): Pick<Typing, "pane" | "fresh"> {
  const target = optionValue(args, ["-t"]);
  if (!server || !target) return {};
  // `p=$(tmux split-window -P -F '#{pane_id}'); tmux send-keys -t "$p" …`
  const made = target.from?.some(({ name, args: words }) => name === "tmux" && says(words, createsPattern()));
  if (!target.literal) return made ? { fresh: true } : {};
  const session = target.text.replace(/^=/, "").replace(/[:.].*$/s, "");
  const creates = all.some(
    (one) =>
      createsPattern().test(one.verb) &&
      one.server?.join(" ") === server.join(" ") &&
      optionValue(one.args, ["-s"])?.text === session,
  );
  return { pane: { server, target: target.text }, ...(creates && { fresh: true }) };
}

function says(args: readonly Word[], pattern: RegExp): boolean {
  return args.some(({ text }) => pattern.test(text));
}
