/** Accounts, networks, services and packages of the machine: it still runs afterwards, but not as it did. */

import type { Invocation } from "../../kernel/shell-reading.ts";
import { type Text, text } from "../../kernel/text.ts";
import { type Danger, forbid, question, SHOW_A_PERSON, shown } from "./danger.ts";
import { type Verbs, verbDecision } from "./danger-verbs.ts";

function asks(...ask: readonly string[]): Verbs {
  return { ask, first: "" };
}

const FIREWALL = asks(
  "-F|--flush",
  "-X|--delete-chain",
  "-P|--policy",
  "flush",
  "reset",
  "disable",
  "delete ruleset|table",
);
const ROWS: Readonly<Record<string, Verbs>> = {
  iptables: FIREWALL,
  ip6tables: FIREWALL,
  nft: FIREWALL,
  ufw: FIREWALL,
  ebtables: FIREWALL,
  arptables: FIREWALL,
  ipset: asks("flush|destroy"),
  efibootmgr: asks("-B|--delete-bootnum"),
  nvram: asks("-c"),
  pfctl: asks("-d", "-F"),
  "firewall-cmd": asks("--panic-on", "--remove-*"),
  ip: asks(
    "link set * down",
    "link set dev * down",
    "link delete|del",
    "route|r|addr|a|address flush",
    "route del default",
  ),
  ifconfig: asks("* down"),
  nmcli: asks("networking off", "connection|con|c delete|del|down", "radio * off"),
  userdel: asks("*"),
  deluser: asks("*"),
  groupdel: asks("*"),
  delgroup: asks("*"),
  dscl: asks("* -delete|-delete*"),
  sysadminctl: asks("-deleteUser|-resetPasswordFor"),
  passwd: asks("-d|--delete", "-l|--lock", "-e|--expire"),
  usermod: asks("-L|--lock", "-e|--expiredate", "sudo|wheel|admin|root|docker"),
  gpasswd: asks("-a sudo|wheel|admin|root|docker", "** sudo|wheel|admin|root|docker"),
  adduser: asks("* sudo|wheel|admin|root|docker"),
  visudo: asks("-f"),
  insmod: asks("*"),
  rmmod: asks("*"),
  sysctl: asks("-w|--write"),
  setenforce: asks("0|permissive"),
  csrutil: asks("disable"),
  spctl: asks("--master-disable|--global-disable"),
  umount: asks("-a|--all", "/"),
  launchctl: asks("unload|bootout|disable|remove"),
  service: asks("* stop|disable"),
  "rc-service": asks("* stop"),
  "update-rc.d": asks("* remove|disable"),
  wsl: { deny: ["--unregister"], ask: ["--shutdown|--terminate"], first: "" },
  pkill: asks("-u*|-U*|--euid*|--uid*", ".", ".*"),
  killall: asks("-u*|--user*"),
};

export function systemDanger(invocation: Invocation): Danger | undefined {
  const { name = "" } = invocation;
  if (Object.hasOwn(REMOVERS, name)) return packageDanger(invocation, REMOVERS[name] as RegExp);
  const row = Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
  const decision = row && verbDecision(invocation, row);
  if (!decision) return undefined;
  const what = text(
    `This would change how the machine runs: ${shown(invocation)}.`,
    `マシンの動作が変わります: ${shown(invocation)}。`,
  );
  return (decision === "deny" ? forbid : question)(what, SHOW_A_PERSON);
}

/** How each package manager says "remove". */
const REMOVERS: Readonly<Record<string, RegExp>> = {
  apt: /^(?:remove|purge|autoremove|autopurge)$/,
  "apt-get": /^(?:remove|purge|autoremove)$/,
  aptitude: /^(?:remove|purge)$/,
  dpkg: /^(?:-[rP]|--remove|--purge)$/,
  yum: /^(?:remove|erase|autoremove)$/,
  dnf: /^(?:remove|erase|autoremove)$/,
  zypper: /^(?:remove|rm)$/,
  rpm: /^(?:-\w*e\w*|--erase)$/,
  pacman: /^(?:-R\w*|--remove)$/,
  apk: /^del$/,
};

/** Without these there is no shell, no login, no network or no package manager to bring them back with. */
const ESSENTIAL =
  /^(?:lib(?:c6|c-bin|ssl\S*|pam\S*|systemd\S*)|g?libc|musl|bash|dash|coreutils|util-linux|systemd\S*|init|sysvinit\S*|sudo|openssh\S*|linux-(?:image|base|firmware)\S*|linux|kernel\S*|python3(?:-minimal)?|apt|dpkg|rpm|dnf|yum|pacman|apk-tools|grub\S*|network-?manager|login|passwd|mount|filesystem|base(?:-files)?|busybox|openssl|ca-certificates|\*)$/i;

function packageDanger(invocation: Invocation, removes: RegExp): Danger | undefined {
  const words = invocation.args.map(({ text: word }) => word);
  const verb = words.find((word) => removes.test(word));
  if (
    verb === undefined ||
    words.some((word) => /^(?:-s|--simulate|--dry-run|--just-print|--assumeno|--test|-p|--print)$/.test(word))
  )
    return undefined;
  if (words.some((word) => ESSENTIAL.test(word))) return forbid(removed(invocation), SHOW_A_PERSON);
  // Settings go with a purge, and an unchecked removal leaves the others broken.
  const unchecked =
    /purge/.test(verb) || words.some((word) => /^(?:--purge|--nodeps|--force-\w+|-\w*dd\w*|-Rns?c\w*)$/.test(word));
  return unchecked ? question(removed(invocation), SHOW_A_PERSON) : undefined;
}

function removed(invocation: Invocation): Text {
  return text(
    `System packages would be removed: ${shown(invocation)}.`,
    `システムのパッケージが削除されます: ${shown(invocation)}。`,
  );
}
