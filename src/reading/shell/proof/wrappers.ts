/** Wrappers: commands that run the command in their arguments and exit with its code. */
import { names } from "../../../lib/name-table.ts";
import type { Why } from "./state.ts";
import { isHarmless } from "./words.ts";

export interface Peeled {
  readonly words: readonly string[];
  /** Another process starts the command, so it is not a builtin. */
  readonly isProgram: boolean;
  /** The reason why the wrapped command proves nothing. */
  readonly why?: Why;
  /** The first word is an opaque wrapper: the command may begin at any later word. */
  readonly isHidden: boolean;
}

export function peel(words: readonly string[]): Peeled {
  let peeled: Peeled = { words, isProgram: false, isHidden: false };
  for (let turn = 0; turn < WRAPPERS_MAX && !peeled.isHidden; turn += 1) {
    const next = peelOnce(peeled);
    if (next === undefined) break;
    peeled = next;
  }
  return peeled;
}

/** Undefined if there is no wrapper to remove. */
function peelOnce({ words, isProgram, ...before }: Peeled): Peeled | undefined {
  const name = words[0] ?? "";
  const hidden = hiddenBy(name);
  if (hidden) return { why: hidden, ...before, words, isProgram, isHidden: true };
  const start = commandAt(name, words);
  if (start === undefined || (name === "command" && start < 0)) return undefined;
  if (start < 0 || words.length <= start) return { why: "unread", ...before, words, isProgram, isHidden: true };
  const sets = name === "env" && !words.slice(1, start).every(setsNothing);
  const rest = { words: words.slice(start), isProgram: isProgram || name !== "command" };
  return { ...before, ...rest, ...(sets && { why: "environment" }) };
}

const WRAPPERS_MAX = 8;

const setsNothing = (word: string): boolean => isHarmless(word.slice(0, word.indexOf("=")));

/** The index of the command; undefined if this is no wrapper, -1 if its options are not understood. */
function commandAt(name: string, words: readonly string[]): number | undefined {
  switch (name) {
    case "command":
    case "nohup":
    case "time":
      return words[1]?.startsWith("-") ? -1 : 1;
    case "timeout":
    case "gtimeout":
      return timeoutAt(words);
    case "nice":
      if (words[1] === "-n") return /^-?\d+$/.test(words[2] ?? "") ? 3 : -1;
      return /^-(?:n?-?\d+)$|^--adjustment=-?\d+$/.test(words[1] ?? "") ? 2 : optionless(words);
    case "env":
      return envAt(words);
    case "stdbuf":
      return past(words, /^-[ioe](?:L|\d+[KM]?)$/);
    case "mise":
      return miseAt(words);
    case "xvfb-run":
      return past(words, /^(?:-a|--auto-servernum)$/);
    default:
      return undefined;
  }
}

function optionless(words: readonly string[]): number {
  return words[1]?.startsWith("-") ? -1 : 1;
}

/** Skips the known options; -1 if another option follows. */
function past(words: readonly string[], known: RegExp): number {
  let at = 1;
  while (known.test(words[at] ?? "")) at += 1;
  return words[at]?.startsWith("-") ? -1 : at;
}

/** `timeout 10 x`, `timeout -k 5 10 x` exit with 124 on timeout. `--preserve-status` may hide that. */
function timeoutAt(words: readonly string[]): number {
  const at = words[1] === "-k" ? 3 : words[1]?.startsWith("--kill-after=") ? 2 : 1;
  return /^[\d.]+[smhd]?$/.test(words[at] ?? "") ? at + 1 : -1;
}

/** `mise exec -- x`; other versions of tools may be named before the two dashes. */
function miseAt([, verb, dashes]: readonly string[]): number | undefined {
  if (verb !== "exec" && verb !== "x") return undefined;
  return dashes === "--" ? 3 : -1;
}

function envAt(words: readonly string[]): number {
  let at = 1;
  while (/^\w+=/.test(words[at] ?? "")) at += 1;
  return words[at]?.startsWith("-") ? -1 : at;
}

/** Wrappers that run a command in another place, at another time or as another user. */
function hiddenBy(name: string): Why | undefined {
  if (FAR.has(name)) return "elsewhere";
  return OPAQUE.has(name) ? "unread" : undefined;
}

const FAR = names("docker docker-compose podman ssh kubectl vagrant chroot nsenter");
const OPAQUE = names(
  "sudo doas su xargs parallel watch script chronic unbuffer setsid ionice taskset strace ltrace flock systemd-run cross-env dotenv direnv nix conda faketime repeat noglob nocorrect builtin exec eval find entr watchexec",
);
