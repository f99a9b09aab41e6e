/**
 * Commands that a person wants to be asked about until trust is earned: they change something outside the project or on
 * another machine, and git or `sekisho undo` can't bring it back.
 */
import { names } from "../../lib/name-table.ts";
import { within } from "../../lib/paths.ts";
import type { Invocation } from "../shell/parse/reading.ts";
import type { Place } from "../shell/parse/shell.ts";
import { type Effect, operands } from "./effects.ts";

/** Asks only about a command that changes something; `own` are its effects. */
export function isWorthAsking(invocation: Invocation, own: readonly Effect[], place: Place): boolean {
  const { name = "", remote } = invocation;
  if (remote) return true;
  // The commands that it would run there are judged by themselves.
  if (SHELLS_ELSEWHERE.has(name)) return operands(invocation, SSH_OPTIONS).length < 2;
  const words = invocation.args.map(({ text }) => text);
  if (MACHINE.has(name)) return !words.some((word) => LOOKS.test(word));
  if (name.startsWith("mkfs")) return true;
  if (MANAGERS.has(name)) return words.some((word) => REMOVES.test(word) || FROM_ANYWHERE.test(word));
  if (PERMISSIONS.has(name)) return changesPermissions(invocation, own, place);
  if (COPIERS.has(name)) return REMOTE_PATH.test(operands(invocation).at(-1)?.text ?? "");
  return false;
}

const MACHINE = names("systemctl service launchctl reboot shutdown poweroff halt init");
/** Read-only verbs of service managers. */
const LOOKS = /^(?:list|list-[\w-]+|print|status|show|cat|info|is-\w+|--version|--help|help|blame)$/;
const MANAGERS = names("apt apt-get brew yum dnf pacman zypper apk port snap flatpak choco winget pip pip3 pipx");
/** Removes programs of the machine. */
const REMOVES = /^(?:remove|purge|uninstall|autoremove|erase|--purge|-R[a-z]*)$/;
/** Installs from an address instead of the registry. */
const FROM_ANYWHERE = /^(?:git\+|https?:)/;
const SHELLS_ELSEWHERE = names("ssh mosh");
const SSH_OPTIONS = { short: "BbcDEeFIiJLlmOoPpQRSWw" };
const PERMISSIONS = names("chmod chown chgrp");
const COPIERS = names("scp sftp rsync");

/** `host:path` and `user@host:path`, but not `C:\path` or a URL. */
const REMOTE_PATH = /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\/\/)/;

/** `chmod +x` on a file of the project is ordinary. Whole trees, other places and rights for everyone are not. */
function changesPermissions({ args }: Invocation, own: readonly Effect[], { cwd }: Place): boolean {
  if (args.some(({ text, literal }) => !literal || TOO_OPEN.test(text))) return true;
  return own.some(({ path, recursive }) => recursive || path.includes("/.git/") || !isOurs(path, cwd));
}

/** Every user may write, or a program runs with the rights of its owner. */
const TOO_OPEN =
  /^(?:[0-7]?[0-7]{2}[2367]|[2467][0-7]{3}|[ugoa]*[oa][ugoa]*[+=][rxXst]*w[rwxXst]*|[ugoa]*\+[rwxX]*s\w*)$/;

function isOurs(path: string, cwd: string | undefined): boolean {
  return SCRATCH.test(path) || (cwd !== undefined && within(path, cwd));
}

const SCRATCH = /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/dev\/shm|\/var\/folders)\//;
