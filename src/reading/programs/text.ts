/** Programs that do not run what they are given: their words and their input are names, patterns or plain text. */

import { names } from "../../lib/name-table.ts";

/** Prose may stand in their words, so those are not read, but for the places that `carriers.ts` lists. */
export function takesText(name: string): boolean {
  return TEXT.has(name) || (hasVersion(name) && versionedPattern().test(name));
}

/** As above, or its operands are names of packages, tasks and files: a verb among them is no order to delete. */
export function takesNames(name: string): boolean {
  return NAMES.has(name) || takesText(name);
}

const NAMES = names(
  "alias apt apt-get brew yum dnf apk pacman npm pnpm yarn bun pip cargo code vi vim nano emacs open go uv rails rake bundle",
);

const TEXT = names(
  // They print, show or search.
  "echo printf grep egrep fgrep zgrep rg ag ack ugrep man tldr info help which whereis type hash ls cat bat less more head tail wc " +
    "diff cmp comm sort uniq tr cut rev fold fmt column paste nl tac strings file stat test [ [[ : true false seq date cal expr " +
    "basename dirname realpath readlink banner figlet cowsay lolcat toilet yes watch-text md5sum sha1sum sha256sum sha512sum " +
    // They tell a person or a log.
    "logger wall write notify-send osd_cat zenity kdialog whiptail dialog say espeak spd-say terminal-notifier mail mailx mutt " +
    "slack slackcat ntfy pushover gotify apprise telegram-send " +
    // They keep text: commits, issues, notes, clipboards.
    "gh glab hub tea jira linear acli bd task todo nb jrnl pbcopy xclip xsel wl-copy clip tmux screen " +
    // They transform text, or have readers of their own.
    "jq yq gojq sed gsed awk gawk mawk nawk perl ruby python node php deno java find fd fdfind git sekisho curl wget http https " +
    "xh xhs rm cp mv ln tar mkdir rmdir touch chmod chown look base64 xxd od hexdump tee sponge iconv envsubst " +
    // What they run elsewhere is read by itself.
    "docker podman kubectl dscl " +
    // Builtins of the shell.
    "set export declare typeset local readonly read history trap eval source . cd pushd popd unset return exit bind zstyle shift getopts",
);

function hasVersion(name: string): boolean {
  const last = name.charCodeAt(name.length - 1);
  return (last >= 48 && last <= 57) || name.startsWith("git-");
}

const versionedPattern = (): RegExp => /^(?:pip\d|(?:python|node|ruby|perl|php|deno|java)[\d.]+|git-[\w-]+)$/;
