/**
 * What is typed into the host's terminal counts as the person's word, so an agent may type only where no host reads it.
 */

import type { Facts } from "../../../kernel/facts.ts";
import { ask, pass, type Ruling } from "../../../kernel/policy.ts";
import { names } from "../../../lib/name-table.ts";
import { inline, text } from "../../../lib/text.ts";
import { paneKey, type Typing, typingIn } from "../../../reading/operation/typing.ts";
import type { Invocation, ShellReading } from "../../../reading/shell/parse/reading.ts";
import { refuseForged } from "./forged-prompt.ts";

/** Tells the words by which a person ends a mode. Handed in, because their vocabulary is in a bundle of its own. */
export type Cancels = (words: string) => boolean;
type Known = Pick<Facts, "panes" | "host">;

export function onTyping(shell: ShellReading, facts: Known, cancels: Cancels): Ruling {
  const { invocations, programs } = shell;
  const injects = programs.find(({ text: words }) => injectsPattern().test(words));
  if (injects) return refuseForged(`${injects.language} program`);
  const types = programs.find(({ text: words }) => typesPattern().test(words));
  if (types) return askAbout(`${types.language} program`);
  const resumes = programs.find(({ text: words }) => terminalsPattern().test(words) && namesHost(words, facts.host));
  if (resumes) return askAbout(`${resumes.language} program`);
  const drives = invocations.find((one) => !one.remote && !one.contained && drivesHost(one, facts.host));
  if (drives) return askAbout(drives.name ?? "");
  const rulings = typingIn(shell).map((typing) => onTyped(typing, shell, facts, cancels));
  const held = rulings.filter(({ decision }) => decision !== "pass");
  const writes = invocations.find((one) => !one.remote && !one.contained && drawsUnread(one));
  return held.find(({ decision }) => decision === "deny") ?? held[0] ?? (writes ? askAbout(writes.name ?? "") : pass);
}

/** The call that puts characters into a terminal's input, by its name and by its number on Linux and macOS. */
const injectsPattern = (): RegExp => /\bTIOCSTI\b|\b0x5412\b|\b21522\b|\b0x80017472\b/i;

/** Commands and libraries by which a program in another language types. */
const typesPattern = (): RegExp =>
  /\b(?:send-keys|paste-buffer|write-chars|send-text|libtmux|tmux\b[^\n]{0,80}["'\s](?:send|paste-?b)|pyautogui|pynput|robotjs|xdotool|ydotool|wtype|keystroke)\b/;

/** Libraries that give a program a terminal of its own to type into. */
const terminalsPattern = (): RegExp =>
  /\b(?:pexpect|ptyprocess|pty\.(?:spawn|fork|openpty)|node-pty|PTY\.spawn|IO::Pty|Expect)\b/;

function onTyped(typing: Typing, { invocations }: ShellReading, facts: Known, cancels: Cancels): Ruling {
  const { processNames } = facts.host;
  const use = typing.fresh ? "free" : typing.pane ? (facts.panes[paneKey(typing.pane)] ?? "unknown") : "unknown";
  if (use === "host") return refuseForged(`${typing.by} ${inline(typing.pane?.target ?? "", 40)}`);
  if (use !== "free" && typing.words.some((word) => commandPattern().test(word) || cancels(word)))
    return refuseForged(inline(typing.by, 40));
  // Keys wait in the terminal, so a host that the line starts there would read them.
  const startsHost = invocations.some(({ name = "" }) => processNames.includes(name));
  return use === "free" && !startsHost ? pass : askAbout(typing.by);
}

/** A client in a terminal of the agent's own takes what comes there for typed words, in the conversation it resumes. */
function drivesHost({ name = "", args, via, stdin }: Invocation, { processNames }: Known["host"]): boolean {
  if (processNames.includes(name) && via.some((one) => DRIVERS.has(one))) return true;
  if (!DRIVERS.has(name)) return false;
  return [...args.map(({ text: word }) => word), stdin?.text ?? ""].some((text) => namesHost(text, { processNames }));
}

function namesHost(text: string, { processNames }: Pick<Known["host"], "processNames">): boolean {
  const words = text.split(/[\s"':;,()[\]{}]+/);
  return words.some((word) => processNames.includes(word.slice(word.lastIndexOf("/") + 1)));
}

/** Programs that type into another. */
const DRIVERS = names("expect unbuffer script socat empty ttyrec asciinema faketty");

const commandPattern = (): RegExp => /(?:^|[\s"'])\/(?:sekisho:)?cancel\b/i;

const terminalPattern = (): RegExp => /^\/dev\/(?:pts\/\d+|tty\d*|ttys\d+|console)$/;
const inputDevicePattern = (): RegExp => /^\/dev\/(?:uinput|input\/)/;

const COPIES = names("tee cp dd");

/**
 * Writing to a terminal only shows text, but a terminal answers some control sequences as if they had been typed. Plain
 * words on the line hold none.
 */
function drawsUnread(invocation: Invocation): boolean {
  const { name = "", args, redirects } = invocation;
  const written = redirects.flatMap(({ kind, target }) => (kind === "read" ? [] : [target.text]));
  const named = COPIES.has(name) ? args.map(({ text: word }) => word.replace(/^of=/, "")) : [];
  const all = [...written, ...named].filter((path) => path.startsWith("/dev/"));
  if (all.some((path) => inputDevicePattern().test(path))) return true;
  return all.some((path) => terminalPattern().test(path)) && !isPlain(invocation);
}

function isPlain({ name = "", args }: Invocation): boolean {
  const isText = args.every(({ text: word, literal }) => literal && !word.includes("\\") && !word.includes("\u001b"));
  return isText && /^(?:echo|printf)$/.test(name);
}

function askAbout(by: string): Ruling {
  const name = inline(by, 40);
  return ask({
    what: text(
      `This types into a terminal (${name}), and nobody can tell whether a client reads it as the person's words.`,
      `端末に文字を入力します (${name})。クライアントがそれを利用者の言葉として読むかどうか分かりません。`,
    ),
    fix: text(
      "Start the program with `run_in_background`, or name a pane that runs no client: `tmux send-keys -t <pane> …`.",
      "`run_in_background` で起動するか、クライアントのいないペインを指定してください: `tmux send-keys -t <pane> …`。",
    ),
  });
}
