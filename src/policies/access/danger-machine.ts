/** Disks, power, processes and schedules of the machine itself. */

import { hasOption } from "../../kernel/shell-options.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";
import { text } from "../../kernel/text.ts";
import { type Danger, forbid, type Judge, never, question, SHOW_A_PERSON, shown } from "./danger.ts";

export const machineDanger: Judge = (invocation) => {
  const { name, args } = invocation;
  if (name === undefined || invocation.contained) return undefined;
  if (args.some(({ text: word }) => TELLS.test(word)) || (args[0]?.text === "-h" && !HALTS.test(name)))
    return undefined;
  if (/^(?:mkfs|newfs|mke2fs)(?:\.|$)/.test(name)) return disk(invocation);
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  return rule?.(invocation);
};

const TELLS = /^(?:--(?:long)?help|-V|--version|--no-act|--dry-run)$/;
/** To these `-h` means halt. */
const HALTS = /^(?:shutdown|halt|poweroff|reboot)$/;

function disk(invocation: Invocation): Danger | undefined {
  const operands = invocation.args.filter(({ text: word }) => !word.startsWith("-"));
  const onImage = operands.some(
    ({ literal, text: word }) =>
      literal && /^\.{0,2}\/|\.(?:img|iso|raw|qcow2)$/.test(word) && !word.startsWith("/dev/"),
  );
  if (operands.length === 0 || (onImage && !operands.some(({ text: word }) => word.startsWith("/dev/"))))
    return undefined;
  return never(
    text(
      `This would erase a disk or volume: ${shown(invocation)}.`,
      `ディスクまたはボリュームが消去されます: ${shown(invocation)}。`,
    ),
    text(
      "Look with `lsblk -f`; practise on an image file (`truncate -s 1G disk.img`).",
      "`lsblk -f` で確認し、イメージファイルで試してください（`truncate -s 1G disk.img`）。",
    ),
  );
}

type Rule = (invocation: Invocation) => Danger | undefined;

/** A disk tool that only looks when one of these words is among its arguments. */
function diskUnless(looks: RegExp): Rule {
  return (invocation) => (invocation.args.some(({ text: word }) => looks.test(word)) ? undefined : disk(invocation));
}

function diskWhen(erases: RegExp): Rule {
  return (invocation) => (invocation.args.some(({ text: word }) => erases.test(word)) ? disk(invocation) : undefined);
}

const power: Rule = (invocation) => {
  if (invocation.args.some(({ text: word }) => word === "-c" || word === "--show")) return undefined;
  return forbid(
    text(
      "This would switch the machine off and end everything that runs on it.",
      "マシンが停止し、実行中のすべてが終了します。",
    ),
    text("Restart the one service or process you need.", "必要なサービスやプロセスだけを再起動してください。"),
  );
};

const runLevel: Rule = (invocation) =>
  /^[016sS]$/.test(invocation.args[0]?.text ?? "") ? power(invocation) : undefined;

const service: Rule = (invocation) => {
  const verb = invocation.args.find(({ text: word }) => !word.startsWith("-"))?.text ?? "";
  if (/^(?:poweroff|reboot|halt|kexec|suspend|hibernate|emergency|rescue|isolate)$/.test(verb))
    return power(invocation);
  if (!/^(?:stop|disable|mask|kill)$/.test(verb)) return undefined;
  return question(
    text(`This would end a service: ${shown(invocation)}.`, `サービスが止まります: ${shown(invocation)}。`),
    SHOW_A_PERSON,
  );
};

const kill: Rule = ({ args }) => {
  const words = args.map(({ text: word }) => word);
  const every = words.slice(1).includes("-1") || (words.includes("--") && words.includes("-1"));
  const init = words.includes("1") && words.some((word) => /^-(?:9|KILL|SIGKILL|s)$/.test(word));
  return every || init
    ? forbid(text("This would kill every process.", "すべてのプロセスが終了します。"), ONE_PROCESS)
    : undefined;
};

const ONE_PROCESS = text(
  "Kill the one process by its id: `kill <pid>`.",
  "対象のプロセスだけを `kill <pid>` で終了してください。",
);

const schedule: Rule = ({ args }) =>
  hasOption(args, "r")
    ? forbid(
        text("Every scheduled job of this user would be deleted.", "このユーザーの予約ジョブがすべて消えます。"),
        text(
          "Save them first: `crontab -l > crontab.bak`, then edit that file and load it.",
          "先に `crontab -l > crontab.bak` で保存し、編集して読み込んでください。",
        ),
      )
    : undefined;

const firewall: Rule = (invocation) =>
  hasOption(invocation.args, "FX", "--flush") ||
  invocation.args.some(({ text: word }) => /^(?:flush|reset|disable)$/.test(word))
    ? question(
        text(
          `Firewall rules would be dropped: ${shown(invocation)}.`,
          `ファイアウォール規則が消えます: ${shown(invocation)}。`,
        ),
        SHOW_A_PERSON,
      )
    : undefined;

const account: Rule = (invocation) =>
  question(
    text(`An account would be removed: ${shown(invocation)}.`, `アカウントが削除されます: ${shown(invocation)}。`),
    SHOW_A_PERSON,
  );

/** `cmd /c rd /s C:\`: the Windows shell, reached from Git Bash. */
const windowsShell: Rule = (invocation) => {
  const words = invocation.args.map(({ text: word }) => word).join(" ");
  if (!/\b(?:rd|rmdir|del|erase|format)\b/i.test(words)) return undefined;
  const words2 = text(
    `This would delete through the Windows shell: ${shown(invocation)}.`,
    `Windows シェルで削除されます: ${shown(invocation)}。`,
  );
  if (/\bformat\b|[a-z]:[\\/]*(?:\s|$)/i.test(words)) return never(words2, SHOW_A_PERSON);
  return /\/s\b/i.test(words) ? forbid(words2, SHOW_A_PERSON) : question(words2, SHOW_A_PERSON);
};

const RULES: Readonly<Record<string, Rule>> = {
  wipefs: diskWhen(/^(?:-\w*[af]|--all|--force|-o)/),
  fdisk: diskUnless(/^(?:-\w*[lx]|--list)/),
  cfdisk: disk,
  sfdisk: diskUnless(/^(?:-[ldJ]|--(?:list|dump|json))/),
  gdisk: diskUnless(/^-l/),
  sgdisk: diskUnless(/^(?:-[pi]|--print|--info)/),
  parted: diskUnless(/^(?:-l|--list|print)$/),
  blkdiscard: disk,
  mkswap: disk,
  badblocks: diskWhen(/^-\w*w/),
  cryptsetup: diskWhen(/^(?:erase|luksErase|luksFormat|reencrypt|luksKillSlot)$/),
  hdparm: diskWhen(/^--(?:security-erase|trim-sector)/),
  nvme: diskWhen(/^(?:format|sanitize)$/),
  mdadm: diskWhen(/^--zero-superblock/),
  diskutil: diskWhen(/^(?:erase|zero|secureErase|reformat|partitionDisk|apfs)/i),
  zpool: diskWhen(/^(?:destroy|labelclear)$/),
  zfs: diskWhen(/^(?:destroy|rollback)$/),
  btrfs: diskWhen(/^(?:delete|del)$/),
  lvremove: disk,
  vgremove: disk,
  pvremove: disk,
  shutdown: power,
  reboot: power,
  poweroff: power,
  halt: power,
  init: runLevel,
  telinit: runLevel,
  systemctl: service,
  kill,
  killall5: () => forbid(text("This would kill every process.", "すべてのプロセスが終了します。"), ONE_PROCESS),
  crontab: schedule,
  iptables: firewall,
  ip6tables: firewall,
  nft: firewall,
  ufw: firewall,
  userdel: account,
  deluser: account,
  groupdel: account,
  cmd: windowsShell,
};
