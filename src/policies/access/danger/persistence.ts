/** Text that runs later or grants access, and so outlasts the session. */

import { isScratch } from "../../../lib/scratch.ts";
import { type Text, text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import { type Danger, type DangerContext, question } from "./danger.ts";
import { within } from "./targets.ts";

interface Kind {
  /** Below a home, or anywhere on the machine. */
  readonly below: "home" | "machine";
  readonly pattern: () => RegExp;
  readonly when: Text;
}

const KINDS: readonly Kind[] = [
  {
    below: "home",
    pattern: () =>
      /^\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|zlogout|xprofile|xinitrc|xsession|pam_environment|config\/(?:fish\/(?:config\.fish|(?:conf\.d|functions)(?:\/.*)?)|(?:autostart|systemd\/user|environment\.d)(?:\/.*)?)|ssh\/(?:authorized_keys2?|rc|environment))$|^\/Library\/LaunchAgents(?:\/|$)/,
    when: text("works at every login", "ログインのたびに有効になります"),
  },
  {
    below: "home",
    pattern: () => /^\/\.ssh\/config(?:\.d\/.*)?$/,
    when: text("is read by every ssh, and can make it run commands", "ssh のたびに読まれ、コマンドも実行できます"),
  },
  {
    below: "home",
    pattern: () => /^\/\.(?:gdbinit|gdbearlyinit|lldbinit|config\/gdb\/.+)$/,
    when: text("is run by every debugger", "デバッガーの起動のたびに実行されます"),
  },
  {
    below: "home",
    pattern: () => /^\/(?:\.local\/)?bin(?:\/[^/]+)?$/,
    when: text("runs whenever a program of that name is started", "その名前のプログラムが呼ばれるたびに実行されます"),
  },
  {
    below: "machine",
    pattern: () => /\/\.git\/(?:.+\/)?(?:hooks\/(?![^/]+\.sample$)[^/]+|config(?:\.worktree)?|info\/attributes)$/,
    when: text("can run with later git commands", "以後の git コマンドとともに実行されることがあります"),
  },
  {
    below: "machine",
    pattern: () => /\/\.git\/(?:.+\/)?(?:\w*HEAD|index|packed-refs|(?:refs|logs|objects)\/.+)$/,
    when: text("changes which history the repository has", "リポジトリの履歴が変わります"),
  },
  {
    below: "machine",
    pattern: () => /^\/Library\/Launch(?:Agents|Daemons)(?:\/|$)/,
    when: text("works whenever the machine starts", "マシンの起動のたびに有効になります"),
  },
];

/** Adding to such a file; overwriting a valuable one is judged as a loss. */
export function persisting({ path, by, elsewhere }: Effect, ground: DangerContext): Danger | undefined {
  const { home } = ground;
  if (elsewhere || by === "touch" || by === "mkdir" || isScratchClone(path, ground)) return undefined;
  const part = path.startsWith(`${home}/`) ? path.slice(home.length) : undefined;
  const kind = mayRunLater(path, part) ? KINDS.find((one) => isBelow(one, path, part)) : undefined;
  return kind && question(stays(path, kind.when), FOR_ONE);
}

/** A clone in a temporary directory, unless the work or the home is there. */
function isScratchClone(path: string, ground: DangerContext): boolean {
  return isScratch(path) && !within(path, ground) && !path.startsWith(`${ground.home}/`);
}

/** A cheap test that rejects nearly every path before a pattern is compiled. */
function mayRunLater(path: string, part: string | undefined): boolean {
  return path.includes("/.git/") || path.startsWith("/Library/") || /^\/(?:\.|bin|Library)/.test(part ?? "");
}

function isBelow({ below, pattern }: Kind, path: string, part: string | undefined): boolean {
  return below === "machine" ? pattern().test(path) : part !== undefined && pattern().test(part);
}

function stays(path: string, when: Text): Text {
  return text(
    `What is written to ${path} stays after this session and ${when.en}.`,
    `${path} に書いた内容はこのセッションの後も残り、${when.ja}。`,
  );
}

const FOR_ONE = text(
  "Set it for the one command that needs it (`VAR=x command`), or show the person the line to add.",
  "必要なコマンドにだけ指定する（`VAR=x command`）か、追記する行を利用者に示してください。",
);
