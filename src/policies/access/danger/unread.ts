/** Text that would run without having been read. */

import { names } from "../../../lib/name-table.ts";
import { type Text, text } from "../../../lib/text.ts";
import { networkUse } from "../../../reading/operation/network-commands.ts";
import { isShell } from "../../../reading/shell/commands/interpreters.ts";
import {
  GAP,
  type Invocation,
  type ShellReading,
  type UnknownReason,
  type Word,
} from "../../../reading/shell/parse/reading.ts";
import { type Danger, forbid, fromNetwork, type Judge, question, shown } from "./danger.ts";
import { powershell } from "./powershell.ts";

/** Tools whose output is meant to be evaluated by the calling shell. */
const SETUP = names(
  "ssh-agent brew direnv pyenv rbenv nodenv fnm nvm starship zoxide dircolors opam conda mamba micromamba mise rtx asdf " +
    "thefuck keychain gpg-agent luarocks perl register-python-argcomplete kubectl helm gh npm docker minikube docker-machine " +
    "lesspipe resize atuin devbox vault op poetry pip rustup cargo completion",
);

export const unreadDanger: Judge = (invocation) => {
  const { runsUnread, word } = invocation;
  if (invocation.name === undefined && isNobodys(word)) return forbid(runsText(invocation), WRITE_OUT);
  if (invocation.name === undefined && word.from?.some(isNetwork)) return fromNetwork;
  if (!runsUnread) return powershell(invocation) ?? takesOver(invocation);
  const { from, named, decoded, anybodys } = runsUnread;
  if (from.some(isNetwork)) return fromNetwork;
  if (from.length > 0 && from.every(isSetup) && isBare(invocation)) return undefined;
  if (decoded) return unpacked;
  if (anybodys) return forbid(loads(invocation), BY_NAME);
  if (named) return question(loads(invocation), BY_NAME);
  // Output of another command can be inspected first; text with no visible source cannot, not even by a person.
  const visible = from.some(isSource) || invocation.remote || invocation.contained;
  return (visible ? question : forbid)(runsText(invocation), visible ? TO_A_FILE : WRITE_OUT);
};

/** A placeholder of xargs or parallel with no source on the line. */
function isNobodys({ text: spelled, from }: Word): boolean {
  return spelled === GAP && !hasSource(from);
}

/** A command on the line, or a file it names, provides the input. */
export function hasSource(from: readonly Invocation[] | undefined): boolean {
  return from?.some(isSource) ?? false;
}

/** `exec sh`: from here on a shell reads the remaining input. */
function takesOver({ name = "", via, args }: Invocation): Danger | undefined {
  const bare = via.at(-1) === "exec" && isShell(name) && args.every(({ text: word }) => word.startsWith("-"));
  return bare ? question(reads, WRITE_OUT) : undefined;
}

const reads = text(
  "A shell takes over here and runs whatever it is fed.",
  "ここからシェルに置き換わり、入力されたものを何でも実行します。",
);

function runsText(invocation: Invocation): Text {
  return text(
    `${shown(invocation)} would run text that is not on the line.`,
    `${shown(invocation)} は、コマンド上にない内容を実行します。`,
  );
}

function loads(invocation: Invocation): Text {
  return text(
    `${shown(invocation)} would load and run a file that nobody has looked at.`,
    `${shown(invocation)} は、内容が確認されていないファイルを読み込んで実行します。`,
  );
}

const TO_A_FILE = text(
  "Write the text to a file, read it, then run that file by name.",
  "内容をファイルに書き出して確認し、そのファイルを名前で実行してください。",
);
const WRITE_OUT = text(
  "Write the command or the name of the script itself on the line, in place of the variable or the pipe.",
  "変数やパイプではなく、実行するコマンドやスクリプト名そのものを書いてください。",
);
const BY_NAME = text(
  "Leave out the variable or option that loads it, or run the file by name after reading it.",
  "読み込ませる変数やオプションを外すか、内容を確認したうえでそのファイルを名前で実行してください。",
);

const unpacked = forbid(
  text(
    "This decodes or unpacks text only to run it, so that nobody reads it before.",
    "内容を復号または展開してそのまま実行するため、事前に誰も確認できません。",
  ),
  text(
    "Write the decoded command out as it is; if it comes from a file, unpack it to one and read that first.",
    "復号後のコマンドをそのまま書いてください。ファイルから来る場合は、別のファイルに展開して先に確認してください。",
  ),
);

/** `eval "$(tool init)"` exactly as the tools' manuals have it; any addition makes it suspicious. */
function isBare({ args, assignments, redirects, via }: Invocation): boolean {
  return args.length <= 1 && assignments.length === 0 && redirects.length === 0 && via.length === 0;
}

/** A filter that only passes on its input is no source. */
function isSource({ name, args }: Invocation): boolean {
  return name !== "cat" || args.some(({ text: word }) => word !== "-");
}

function isNetwork({ name }: Invocation): boolean {
  const use = networkUse(name);
  return use === "web" || use === "line" || use === "lookup" || use === "shell";
}

function isSetup({ name, args, assignments, redirects, via }: Invocation): boolean {
  if (name === undefined || !SETUP.has(name)) return false;
  if (
    assignments.length > 0 ||
    via.length > 0 ||
    redirects.some(({ kind, target }) => kind !== "read" && target.text !== "/dev/null")
  )
    return false;
  return (
    name === "ssh-agent" ||
    args.some(({ text: word }) =>
      /^(?:init|env|hook|shellenv|shell\.\w+|activate|completions?|-[sc]|export|docker-env)$|^--(?:shell|init|bash|zsh|eval)/.test(
        word,
      ),
    ) ||
    args.length <= 1
  );
}

interface Reason {
  readonly what: Text;
  /** No legitimate line needs it, and a plain spelling is always possible. */
  readonly denied?: true;
}

const reasons = (): Readonly<Record<UnknownReason, Reason | undefined>> => ({
  "parse error": {
    what: text(
      "This line is not valid shell, so what it does cannot be told.",
      "シェルとして解釈できないため、何が起きるか判断できません。",
    ),
  },
  oversized: { what: text("This line is too long to read in full.", "コマンドが長すぎて全体を確認できません。") },
  "too deep": {
    what: text("This line is nested too deeply to read.", "入れ子が深すぎて読み取れません。"),
    denied: true,
  },
  "too many commands": {
    what: text("This line holds too many commands to read in full.", "コマンドが多すぎて全体を確認できません。"),
  },
  "command name is not literal": {
    what: text("The name of a command is only made up at run time.", "実行時にならないとコマンド名が決まりません。"),
  },
  "disguised name": {
    what: text(
      "The name of a command is spelled so that a reader takes it for something else.",
      "コマンド名が、読む人に別のものと思わせる書き方になっています。",
    ),
    denied: true,
  },
  "no name of a command": {
    what: text("A line begins with a word that is no command's name.", "行の先頭がコマンド名ではありません。"),
  },
  "invisible character": {
    what: text(
      "The name of a command contains characters that cannot be seen.",
      "コマンド名に見えない文字が含まれています。",
    ),
    denied: true,
  },
  "NUL byte": {
    what: text(
      "This line contains a NUL byte, which no real command does.",
      "通常のコマンドにはない NUL 文字が含まれています。",
    ),
    denied: true,
  },
  // Judged together with the input, above.
  "unread text runs in a shell": undefined,
});

const PLAINLY = text(
  "Write it as a plain command, or put it into a script file and run that.",
  "単純なコマンドとして書くか、スクリプトファイルにして実行してください。",
);

export function unknownDangers({ unknown }: ShellReading): Danger[] {
  return unknown.flatMap((reason) => {
    const found = reasons()[reason];
    return found ? [(found.denied ? forbid : question)(found.what, PLAINLY)] : [];
  });
}
