/** Families of commands that a person can accept as a whole: `pip-install` is every plain `pip install …`. */

import { names } from "../../lib/name-table.ts";
import { GIT_BRANCH_DELETE, GIT_NO_VERIFY, GIT_PUSH_PROTECTED } from "../../state/families.ts";
import { operandStart } from "../shell/parse/options.ts";
import type { Invocation, ShellReading } from "../shell/parse/reading.ts";

/** Families that a policy names by itself, with that policy. */
const NAMED: Readonly<Record<string, string>> = {
  [GIT_NO_VERIFY]: "no-destructive-command",
  [GIT_PUSH_PROTECTED]: "no-publish",
  [GIT_BRANCH_DELETE]: "no-destructive-command",
};

const MANAGERS = names("pip pipx uv npm pnpm yarn bun cargo brew apt dnf yum pacman apk gem conda poetry go");
const BY_NAME = names("systemctl service launchctl chmod chown chgrp");

/** The policy whose questions a family answers; undefined if there is no such family. */
export function policyOfFamily(family: string): string | undefined {
  if (Object.hasOwn(NAMED, family)) return NAMED[family];
  const [, manager = ""] = /^([a-z]+)-(?:install|install-url|remove)$/.exec(family) ?? [];
  const isKnown = MANAGERS.has(manager) || BY_NAME.has(family) || /^ssh-[\w.-]{1,80}$/.test(family);
  return isKnown ? "require-trust" : undefined;
}

/** The one family of everything on the line that does something; undefined if there is another command beside it. */
export function familyOfLine({ invocations, programs, unknown }: ShellReading): string | undefined {
  if (programs.length > 0 || unknown.length > 0) return undefined;
  // What runs on the other machine belongs to the `ssh` that brings it there.
  const acting = invocations.filter(({ name = "", remote }) => !remote && !HARMLESS.has(name));
  const family = acting[0] && familyOf(acting[0]);
  return family !== undefined && acting.every((one) => familyOf(one) === family) ? family : undefined;
}

/** The machine on which the line does everything that it does; undefined if it does something else, or not plainly. */
export function hostOfLine(line: ShellReading): string | undefined {
  const family = familyOfLine(line);
  return family?.startsWith(SSH) ? family.slice(SSH.length) : undefined;
}

const SSH = "ssh-";

const HARMLESS = names("cd pwd echo printf true ls cat head tail grep wc sleep test [ date sort uniq jq");

function familyOf(invocation: Invocation): string | undefined {
  const { name = "", args } = invocation;
  if (!isPlain(invocation)) return undefined;
  if (BY_NAME.has(name)) return name;
  if (name === "ssh") return hostFamily(invocation);
  const manager = name === "pip3" ? "pip" : name === "apt-get" ? "apt" : name;
  if (!MANAGERS.has(manager) || args.some(({ text }) => ELSEWHERE.test(text))) return undefined;
  const words = args.map(({ text }) => text).filter((word) => !word.startsWith("-"));
  const verb = words[0] === "pip" ? words[1] : words[0];
  if (/^(?:remove|uninstall|purge|autoremove|rm)$/.test(verb ?? "")) return `${manager}-remove`;
  if (!/^(?:install|add|i|ci|get|sync)$/.test(verb ?? "")) return undefined;
  return `${manager}-install${words.some((word) => /:\/\/|^git\+/.test(word)) ? "-url" : ""}`;
}

/** Options that fetch from another place, or install to one. */
const ELSEWHERE =
  /^(?:-i|-f|--(?:index|extra-index|find-links|registry|source|repository|trusted-host|proxy|config|userconfig|target|prefix|root|cert|cafile)\b)/;

function hostFamily({ args }: Invocation): string | undefined {
  const host = args[operandStart(args, { short: "BbcDEeFIiJLlmOopQRSWw" })]?.text.replace(/^.*@/, "");
  const isPlainHost = !args.some(({ text }) => /^-[a-zA-Z]*[oJFLRDW]/.test(text));
  return host !== undefined && isPlainHost && /^[\w.-]{1,80}$/.test(host) ? `${SSH}${host.toLowerCase()}` : undefined;
}

function isPlain({ args, assignments, redirects, contained, runsUnread, via }: Invocation): boolean {
  const writes = redirects.some(({ kind, target }) => kind !== "read" && target.text !== "/dev/null");
  const isBare = assignments.length === 0 && !writes && !contained && !runsUnread;
  return isBare && via.every((name) => name === "sudo" || name === "time") && args.every(({ literal }) => literal);
}
