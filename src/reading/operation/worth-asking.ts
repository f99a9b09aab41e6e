/**
 * Commands that a person wants to be asked about until trust is earned: they change something outside the project or on
 * another machine, and git or `sekisho undo` can't bring it back.
 */
import { names } from "../../lib/name-table.ts";
import { within } from "../../lib/paths.ts";
import { isScratch, isScratchRoot } from "../../lib/scratch.ts";
import type { Invocation } from "../shell/parse/reading.ts";
import type { Place } from "../shell/parse/shell.ts";
import type { Because } from "./domain.ts";
import type { Effect } from "./effects.ts";

/** Only for a command that changes something; `own` are its effects. Undefined if nobody need be asked. */
export function beyondProject(invocation: Invocation, own: readonly Effect[], place: Place): Because | undefined {
  const { name = "", remote, args } = invocation;
  const words = args.map(({ text }) => text);
  if (words.some((word) => TELLS.has(word))) return undefined;
  if (remote) return looksAtContainers(name, words) ? undefined : "other machine";
  if (PERMISSIONS.has(name)) return changesPermissions(invocation, own, place) ? "permissions" : undefined;
  return onThisMachine(name, words);
}

function onThisMachine(name: string, words: readonly string[]): Because | undefined {
  const says = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  if (MACHINE.has(name) && !says(LOOKS)) return "service";
  if (MANAGERS.has(name) && says(REMOVES)) return "program removed";
  if (name.startsWith("pip") && says(FROM_ANYWHERE)) return "foreign package";
  return name.startsWith("mkfs") ? "disk written" : undefined;
}

const TELLS = names("--help --version --dry-run");

const MACHINE = names("systemctl service launchctl reboot shutdown poweroff halt init");
/** Read-only verbs of service managers. */
const LOOKS = /^(?:list|list-[\w-]+|print|status|show|cat|info|is-\w+|help|blame)$/;

const MANAGERS = names("apt apt-get brew yum dnf pacman zypper apk port snap flatpak choco winget");
/** Removes programs of the machine. */
const REMOVES = /^(?:remove|purge|uninstall|autoremove|erase|--purge|-R[a-z]*)$/;
/** Installs from an address instead of the registry. */
const FROM_ANYWHERE = /^(?:git\+|https?:)/;

const PERMISSIONS = names("chmod chown chgrp");

/** `chmod +x` on a file of the project is ordinary. Whole trees, other places and rights for everyone are not. */
function changesPermissions({ args }: Invocation, own: readonly Effect[], { cwd }: Place): boolean {
  if (args.some(({ text, literal }) => !literal || TOO_OPEN.test(text))) return true;
  return own.some(({ path, recursive }) => recursive || path.includes("/.git/") || !isOurs(path, cwd));
}

/** Every user may write, or a program runs with the rights of its owner. */
const TOO_OPEN =
  /^(?:[0-7]?[0-7]{2}[2367]|[2467][0-7]{3}|[ugoa]*[oa][ugoa]*[+=][rxXst]*w[rwxXst]*|[ugoa]*\+[rwxX]*s\w*)$/;

function isOurs(path: string, cwd: string | undefined): boolean {
  return (isScratch(path) && !isScratchRoot(path)) || (cwd !== undefined && within(path, cwd));
}

/** `docker compose -f x.yml logs api`: a verb that reads among the first words, and none that changes something. */
function looksAtContainers(name: string, words: readonly string[]): boolean {
  if (!CONTAINERS.has(name)) return false;
  const verbs = words.filter((word) => !word.startsWith("-")).slice(0, 4);
  return verbs.some((word) => READING_VERBS.has(word)) && !verbs.some((word) => CHANGING_VERBS.has(word));
}

const CONTAINERS = names("docker docker-compose podman kubectl");
const READING_VERBS = names("ps logs images inspect version info stats top port ls config history get describe");
const CHANGING_VERBS = names(
  "up down rm rmi restart exec run stop start kill prune pull push build cp create apply delete scale set edit patch " +
    "rollout drain cordon taint label annotate expose autoscale load import commit tag update swarm",
);
