/** Text that runs at every login or grants access, and so outlasts the session. */

import { text } from "../../../lib/text.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import { type Danger, type DangerContext, question } from "./danger.ts";

/** Paths below a home. */
const runLaterPattern = (): RegExp =>
  /^\/\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zprofile|zshenv|zlogin|config\/(?:fish\/config\.fish|(?:autostart|systemd\/user)(?:\/.*)?)|ssh\/(?:authorized_keys2?|rc|environment))$|^\/Library\/LaunchAgents(?:\/|$)/;

/** Appending to such a file; overwriting it is judged as a loss. */
export function persisting({ path, by }: Effect, { home }: DangerContext): Danger | undefined {
  if (!path.startsWith(`${home}/.`) && !path.startsWith(`${home}/Library/`)) return undefined;
  if (!runLaterPattern().test(path.slice(home.length)) || by === "touch" || by === "mkdir") return undefined;
  return question(
    text(
      `What is added to ${path} stays and works at every login, long after this session.`,
      `${path} に加えた内容は、このセッションの後もログインのたびに有効になります。`,
    ),
    text(
      "Set it for the one command that needs it (`VAR=x command`), or show the person the line to add.",
      "必要なコマンドにだけ指定する（`VAR=x command`）か、追記する行を利用者に示してください。",
    ),
  );
}
