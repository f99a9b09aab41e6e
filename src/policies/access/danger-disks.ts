/** Disks and volumes: what is erased there was never a file that git or a backup of the project had. */

import { hasOption } from "../../kernel/shell-options.ts";
import type { Invocation } from "../../kernel/shell-reading.ts";
import { text } from "../../kernel/text.ts";
import { type Danger, never, shown } from "./danger.ts";

type Rule = (invocation: Invocation) => Danger | undefined;

export function diskDanger(invocation: Invocation): Danger | undefined {
  const { name = "" } = invocation;
  if (/^(?:mkfs|newfs|mke2fs)(?:[._]|$)/.test(name)) return disk(invocation);
  return Object.hasOwn(RULES, name) ? RULES[name]?.(invocation) : undefined;
}

function disk(invocation: Invocation): Danger | undefined {
  const operands = invocation.args.filter(({ text: word }) => !word.startsWith("-"));
  const onImage = operands.some(
    ({ literal, text: word }) =>
      literal && /^\.{0,2}\/|\.(?:img|iso|raw|qcow2)$/.test(word) && !word.startsWith("/dev/"),
  );
  if (operands.length === 0 || (onImage && !operands.some(({ text: word }) => word.startsWith("/dev/"))))
    return undefined;
  return erased(invocation);
}

function erased(invocation: Invocation): Danger {
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

/** A disk tool that only looks when one of these words is among its arguments. */
function diskUnless(looks: RegExp): Rule {
  return (invocation) => (invocation.args.some(({ text: word }) => looks.test(word)) ? undefined : disk(invocation));
}

function diskWhen(erases: RegExp, rule: Rule = disk): Rule {
  return (invocation) => (invocation.args.some(({ text: word }) => erases.test(word)) ? rule(invocation) : undefined);
}

/** Without a command it is a dialogue, and `print` alone looks. */
const parted: Rule = (invocation) => {
  const words = invocation.args.map(({ text: word }) => word);
  const changes = words.some((word) => /^(?:mk\w*|rm|resize\w*|rescue|move|name|set|toggle|disk_\w+)$/.test(word));
  const looks = words.some((word) => /^(?:-l|--list|print|unit|help)$/.test(word));
  return looks && !changes ? undefined : disk(invocation);
};

const RULES: Readonly<Record<string, Rule>> = {
  wipefs: diskWhen(/^(?:-\w*[af]|--all|--force|-o)/),
  fdisk: diskUnless(/^(?:-\w*[lx]|--list)/),
  cfdisk: disk,
  sfdisk: diskUnless(/^(?:-[ldJ]|--(?:list|dump|json))/),
  gdisk: diskUnless(/^-l/),
  cgdisk: disk,
  sgdisk: diskWhen(
    /^(?:-[a-zA-Z]*[oZzdnGgtlRmN]|--(?:zap|clear|new|delete|mbrtogpt|load|replicate|largest|typecode|randomize))/,
  ),
  parted,
  blkdiscard: disk,
  mkswap: disk,
  badblocks: diskWhen(/^-\w*w/),
  cryptsetup: diskWhen(/^(?:erase|luksErase|luksFormat|reencrypt|luksKillSlot)$/),
  hdparm: diskWhen(/^--(?:security-erase|trim-sector)/),
  nvme: diskWhen(/^(?:format|sanitize|delete-ns|write-zeroes)$/),
  "qemu-img": diskWhen(/^\/dev\/(?!null|zero)/),
  mdadm: diskWhen(/^(?:--zero-superblock|--stop|-S|--create|-C|--fail|--remove)$/),
  ddrescue: (invocation) => (hasOption(invocation.args, "f", "--force") ? disk(invocation) : undefined),
  dcfldd: diskWhen(/^of=\/dev\/(?!null)/, erased),
  asr: diskWhen(/^-?-erase$/, erased),
  gpt: diskWhen(/^(?:destroy|remove)$/, erased),
  sg_format: disk,
  flashrom: diskWhen(/^(?:-\w*[wE]|--write|--erase)/, erased),
  scrub: disk,
  nwipe: disk,
  dban: disk,
  resize2fs: diskUnless(/^-P$/),
  lvreduce: disk,
  pvmove: disk,
  diskutil: diskWhen(
    /^(?:erase|zero|secureErase|reformat|partitionDisk|delete|resize|mergePartitions|splitPartition)/i,
    erased,
  ),
  zpool: diskWhen(/^(?:destroy|labelclear)$/, erased),
  zfs: diskWhen(/^(?:destroy|rollback)$/, erased),
  btrfs: diskWhen(/^(?:delete|del)$/, erased),
  lvremove: disk,
  vgremove: disk,
  pvremove: disk,
};
