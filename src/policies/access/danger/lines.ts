/** Connections to other machines: reverse shells, and uploads of data that the line does not name. */

import { names } from "../../../lib/name-table.ts";
import { type Text, text } from "../../../lib/text.ts";
import { isShell } from "../../../reading/shell/commands/interpreters.ts";
import { optionValues } from "../../../reading/shell/parse/options.ts";
import type { Invocation, Redirect } from "../../../reading/shell/parse/reading.ts";
import { outwardOf } from "../secrets/outward.ts";
import { type Danger, forbid, type Judge, question, shown } from "./danger.ts";

export const lineDanger: Judge = (invocation) => {
  if (handsOverShell(invocation)) return shellAway;
  const { name = "", redirects } = invocation;
  const socket = redirects.find(isSocket);
  if (socket) return throughSocket(invocation, socket);
  return ruleOf(name)?.(invocation);
};

function ruleOf(name: string): ((invocation: Invocation) => Danger | undefined) | undefined {
  if (UPLOADERS.has(name)) return uploads;
  if (name === "ssh") return toAnAddress;
  if (name === "ssh-keygen") return forgets;
  if (ENGINES.has(name)) return opensHost;
  return SCANNERS.has(name) ? scans : undefined;
}

const RELAYS = names("nc ncat netcat socat telnet");

/** `bash -i >& /dev/tcp/…`, `nc -e /bin/sh`, `sh -i | nc …`: the other end can type commands. */
function handsOverShell({ name = "", via, redirects, stdin }: Invocation): boolean {
  const away = redirects.some(isSocket) || (via.length > 0 && RELAYS.has(via.at(-1) ?? ""));
  if (away && isShell(name.replace(/,.*$/, ""))) return true;
  return (
    RELAYS.has(name) &&
    (stdin?.from.some((each) => isShell(each.name ?? "") && each.args.some(({ text: word }) => /^-\w*i/.test(word))) ??
      false)
  );
}

const shellAway = forbid(
  text(
    "This hands a shell on this machine to another one, where anybody may type into it.",
    "このマシンのシェルを別のマシンに渡し、相手が自由に操作できるようになります。",
  ),
  text(
    "Send only the output that is needed: `command | nc host port`; for a person's own access, `ssh`.",
    "必要な出力だけを送ってください: `command | nc host port`。本人の接続には `ssh` を使えます。",
  ),
);

function isSocket({ target }: Redirect): boolean {
  const { prefix } = target;
  return (prefix.startsWith("/dev/tcp/") || prefix.startsWith("/dev/udp/")) && !localPattern().test(target.text);
}

const localPattern = (): RegExp => /^\/dev\/\w+\/(?:localhost|127\.[\d.]+|::1|0\.0\.0\.0)\//;

/** Writing an empty or literal line only checks whether a port answers. */
function throughSocket(invocation: Invocation, { kind }: Redirect): Danger | undefined {
  const { name = "", args, stdin } = invocation;
  // The redirections of a group are recorded under `:`, with the output of the group as its input.
  const group = name === ":" && (stdin?.from.some((each) => !/^(?:echo|printf)$/.test(each.name ?? "")) ?? false);
  const plain = /^(?:echo|printf|:|true)$/.test(name) && !group && args.every(({ literal }) => literal);
  return kind === "read" || plain || name === ""
    ? undefined
    : question(outThere(invocation), text("Write what is sent on the line, with `curl` or `nc -z`.", OPENLY_JA));
}

const OPENLY_JA = "`curl` や `nc -z` を使い、送るものをコマンド上に書いてください。";

function outThere(invocation: Invocation): Text {
  return text(
    `This opens a bare connection to another machine to write into: ${shown(invocation)}.`,
    `別のマシンへの接続を開いて書き込みます: ${shown(invocation)}。`,
  );
}

const UPLOADERS = names("curl wget wget2 http https xh xhs");
const FILE_OPTIONS = ["-T", "--upload-file", "--post-file", "--body-file"];
const BODY_OPTIONS = ["-d", "-F", "--data", "--data-binary", "--data-raw", "--data-urlencode", "--form", "--json"];

/** The file name is in a variable, so the uploaded file is unknown. */
function uploads(invocation: Invocation): Danger | undefined {
  const { args } = invocation;
  const files = optionValues(args, FILE_OPTIONS).filter(({ literal, prefix }) => !literal && prefix === "");
  const bodies = optionValues(args, BODY_OPTIONS).filter(
    ({ literal, prefix }) => !literal && /^[\w.[\]-]*=?[@<]$/.test(prefix),
  );
  const bare = optionValues(args, ["-H", "--header"]).some(({ text: word }) => /^eyJ[\w.-]+$/.test(word));
  if ((files.length === 0 && bodies.length === 0 && !bare) || !outwardOf(invocation)) return undefined;
  return question(
    bare
      ? text("This sends a token to another machine.", "別のマシンにトークンを送ります。")
      : text(
          "This uploads a file, and the line does not say which.",
          "ファイルを送信しますが、どのファイルかコマンドから分かりません。",
        ),
    bare ? AS_A_HEADER : text("Write the name of the file out.", "送るファイルの名前を直接書いてください。"),
  );
}

const AS_A_HEADER = text(
  'Send it to its own service only, as `-H "Authorization: Bearer $TOKEN"`.',
  '属するサービスにだけ、`-H "Authorization: Bearer $TOKEN"` の形で送ってください。',
);

const publicAddressPattern = (): RegExp =>
  /^(?:[\w.-]+@)?(?!10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.)(?:\d{1,3}\.){3}\d{1,3}$/;

/** A bare IP address identifies no known machine, and commands typed there are not checked here. */
function toAnAddress({ args }: Invocation): Danger | undefined {
  const last = args.at(-1)?.text ?? "";
  return publicAddressPattern().test(last)
    ? question(
        text(`This opens a session on the machine at ${last}.`, `${last} のマシンでセッションを開きます。`),
        text(
          "Write the command to run there on the line (`ssh host command`), and the machine by its name.",
          "実行するコマンドも書き（`ssh host command`）、マシンは名前で指定してください。",
        ),
      )
    : undefined;
}

/** After that, the next connection accepts any host key. */
function forgets({ args }: Invocation): Danger | undefined {
  return args.some(({ text: word }) => /^-R/.test(word))
    ? question(
        text(
          "This forgets how a machine is recognised, so that another one may take its place unnoticed.",
          "マシンを見分ける鍵の記録を消すため、別のマシンにすり替わっても気付けなくなります。",
        ),
        text(
          "Ask the person whether the machine's key has really changed; `ssh-keygen -F host` shows what is kept.",
          "鍵が本当に変わったのか利用者に確認してください。`ssh-keygen -F host` で記録を見られます。",
        ),
      )
    : undefined;
}

const mountsRootPattern = (): RegExp => /^(?:(?:-v|--volume)=?)?\/:\/|(?:source|src)=\/(?:,|$)/;
const ENGINES = names("docker podman nerdctl");

/** A container with the host's root mounted is no isolation. */
function opensHost({ args }: Invocation): Danger | undefined {
  const runs = args.some(({ text: word }) => word === "run" || word === "create");
  return runs && args.some(({ text: word }) => mountsRootPattern().test(word))
    ? question(
        text(
          "This container gets the whole file system of the machine.",
          "コンテナにマシンのファイルシステム全体が渡されます。",
        ),
        text("Mount only the directory that is needed.", "必要なディレクトリだけをマウントしてください。"),
      )
    : undefined;
}

const SCANNERS = names("nmap masscan zmap strace ltrace");

/** A range of machines, or a process outside this project. */
function scans(invocation: Invocation): Danger | undefined {
  const { name = "", args } = invocation;
  const words = args.map(({ text: word }) => word);
  const hits = /trace$/.test(name)
    ? words.some((word, at) => word === "-p1" || (word === "1" && words[at - 1] === "-p"))
    : words.some((word) => /\/\d{1,2}$|\d-\d+$|^-iL/.test(word));
  return hits
    ? question(
        text(
          `This looks into machines or processes that are not this project's: ${shown(invocation)}.`,
          `このプロジェクトのものではないマシンやプロセスを調べます: ${shown(invocation)}。`,
        ),
        text("Name the one host or process that is meant.", "対象のホストやプロセスを一つだけ指定してください。"),
      )
    : undefined;
}
