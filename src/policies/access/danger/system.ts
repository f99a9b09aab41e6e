/** Accounts, networks, services and packages of the machine: it still runs afterwards, but differently. */

import { type Text, text } from "../../../lib/text.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import { type Danger, forbid, question, SHOW_A_PERSON, shown } from "./danger.ts";
import { VerbTable } from "./rows.ts";
import { type Verbs, verbDecision } from "./verbs.ts";

const ROWS = new VerbTable(`
iptables: ask -F|--flush, -X|--delete-chain, -P|--policy, flush, reset, disable, delete ruleset|table
ip6tables: = iptables
nft: = iptables
ufw: = iptables
ebtables: = iptables
arptables: = iptables
ipset: ask flush|destroy
efibootmgr: ask -B|--delete-bootnum
nvram: ask -c
pfctl: ask -d, -F
firewall-cmd: ask --panic-on, --remove-*
ip: ask link set * down, link set dev * down, link delete|del, route|r|addr|a|address flush, route del default
ifconfig: ask * down
nmcli: ask networking off, connection|con|c delete|del|down, radio * off
userdel: ask *
deluser: ask *
groupdel: ask *
delgroup: ask *
dscl: ask * -delete|-delete*
sysadminctl: ask -deleteUser|-resetPasswordFor
passwd: ask -d|--delete, -l|--lock, -e|--expire
usermod: ask -d|--home, -L|--lock, -e|--expiredate, sudo|wheel|admin|root|docker
gpasswd: ask -a sudo|wheel|admin|root|docker, ** sudo|wheel|admin|root|docker
adduser: ask * sudo|wheel|admin|root|docker
visudo: ask -f
insmod: ask *
rmmod: ask *
sysctl: ask -w|--write
setenforce: ask 0|permissive
csrutil: ask disable
spctl: ask --master-disable|--global-disable
umount: ask -a|--all, /
launchctl: ask unload|bootout|disable|remove
service: ask * stop|disable
rc-service: ask * stop
update-rc.d: ask * remove|disable
nix-collect-garbage: ask -d|--delete-old
gio: ask trash --empty
loginctl: ask terminate-user|terminate-session|kill-user|kill-session *
fwupdtool: ask wipe
wsl: deny --unregister; ask --shutdown|--terminate
pkill: ask -u*|-U*|--euid*|--uid*, ., .*
killall: ask -u*|--user*
`);

/** The rule for a command that changes the configuration of the machine. */
export function systemRule(name: string): ((invocation: Invocation) => Danger | undefined) | undefined {
  const removes = removerOf(name);
  if (removes) return (invocation) => packageDanger(invocation, removes);
  const row = ROWS.get(name);
  return row && ((invocation) => changeDanger(invocation, row));
}

function changeDanger(invocation: Invocation, row: Verbs): Danger | undefined {
  const decision = verbDecision(invocation, row);
  if (!decision) return undefined;
  const what = text(
    `This would change how the machine runs: ${shown(invocation)}.`,
    `マシンの動作が変わります: ${shown(invocation)}。`,
  );
  return (decision === "deny" ? forbid : question)(what, SHOW_A_PERSON);
}

/** The removal verbs of each package manager. */
function removerOf(name: string): RegExp | undefined {
  switch (name) {
    case "apt":
      return /^(?:remove|purge|autoremove|autopurge)$/;
    case "apt-get":
      return /^(?:remove|purge|autoremove)$/;
    case "aptitude":
      return /^(?:remove|purge)$/;
    case "dpkg":
      return /^(?:-[rP]|--remove|--purge)$/;
    case "yum":
    case "dnf":
      return /^(?:remove|erase|autoremove)$/;
    case "zypper":
      return /^(?:remove|rm)$/;
    case "rpm":
      return /^(?:-\w*e\w*|--erase)$/;
    case "pacman":
      return /^(?:-R\w*|--remove)$/;
    case "apk":
      return /^del$/;
    default:
      return undefined;
  }
}

/** Without these there is no shell, login, network or package manager left to reinstall them. */
const essentialPattern = (): RegExp =>
  /^(?:lib(?:c6|c-bin|ssl\S*|pam\S*|systemd\S*)|g?libc|musl|bash|dash|coreutils|util-linux|systemd\S*|init|sysvinit\S*|sudo|openssh\S*|linux-(?:image|base|firmware)\S*|linux|kernel\S*|python3(?:-minimal)?|apt|dpkg|rpm|dnf|yum|pacman|apk-tools|grub\S*|network-?manager|login|passwd|mount|filesystem|base(?:-files)?|busybox|openssl|ca-certificates|\*)$/i;

function packageDanger(invocation: Invocation, removes: RegExp): Danger | undefined {
  const words = invocation.args.map(({ text: word }) => word);
  const verb = words.find((word) => removes.test(word));
  if (
    verb === undefined ||
    words.some((word) => /^(?:-s|--simulate|--dry-run|--just-print|--assumeno|--test|-p|--print)$/.test(word))
  )
    return undefined;
  if (words.some((word) => essentialPattern().test(word))) return forbid(removed(invocation), SHOW_A_PERSON);
  // A purge also removes settings, and a removal without dependency checks breaks other packages.
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
