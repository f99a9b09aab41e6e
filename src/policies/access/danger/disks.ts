/** Disks and volumes: their content is in no git repository and no backup of the project. */

import { names } from "../../../lib/name-table.ts";
import { text } from "../../../lib/text.ts";
import { hasOption } from "../../../reading/shell/parse/options.ts";
import type { Invocation } from "../../../reading/shell/parse/reading.ts";
import { type Danger, never, shown } from "./danger.ts";

type Rule = (invocation: Invocation) => Danger | undefined;

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

/** A disk tool that only reads if one of these words is among its arguments. */
function diskUnless(looks: RegExp): Rule {
  return (invocation) => (invocation.args.some(({ text: word }) => looks.test(word)) ? undefined : disk(invocation));
}

function diskWhen(erases: RegExp, rule: Rule = disk): Rule {
  return (invocation) => (invocation.args.some(({ text: word }) => erases.test(word)) ? rule(invocation) : undefined);
}

/** Without a command `parted` is interactive; only `print` and similar words just read. */
const parted: Rule = (invocation) => {
  const words = invocation.args.map(({ text: word }) => word);
  const changes = words.some((word) => /^(?:mk\w*|rm|resize\w*|rescue|move|name|set|toggle|disk_\w+)$/.test(word));
  const looks = words.some((word) => /^(?:-l|--list|print|unit|help)$/.test(word));
  return looks && !changes ? undefined : disk(invocation);
};

/** Tools that only erase. */
const ERASERS = names(
  "cfdisk cgdisk blkdiscard mkswap sg_format scrub nwipe dban lvreduce pvmove lvremove vgremove pvremove",
);

/** Creates a rule only for a command that has one, because a table of patterns would cost time on every command. */
export function diskRule(name: string): Rule | undefined {
  const makes = name.startsWith("mk") || name.startsWith("newfs");
  if (makes && /^(?:mkfs|newfs|mke2fs)(?:[._]|$)/.test(name)) return disk;
  return ERASERS.has(name) ? disk : (partitionRule(name) ?? volumeRule(name));
}

function partitionRule(name: string): Rule | undefined {
  switch (name) {
    case "wipefs":
      return diskWhen(/^(?:-\w*[af]|--all|--force|-o)/);
    case "fdisk":
      return diskUnless(/^(?:-\w*[lx]|--list)/);
    case "sfdisk":
      return diskUnless(/^(?:-[ldJ]|--(?:list|dump|json))/);
    case "gdisk":
      return diskUnless(/^-l/);
    case "sgdisk":
      return diskWhen(
        /^(?:-[a-zA-Z]*[oZzdnGgtlRmN]|--(?:zap|clear|new|delete|mbrtogpt|load|replicate|largest|typecode|randomize))/,
      );
    case "parted":
      return parted;
    case "gpt":
      return diskWhen(/^(?:destroy|remove)$/, erased);
    case "resize2fs":
      return diskUnless(/^-P$/);
    case "diskutil":
      return diskWhen(
        /^(?:erase|zero|secureErase|reformat|partitionDisk|delete|resize|mergePartitions|splitPartition)/i,
        erased,
      );
    case "asr":
      return diskWhen(/^-?-erase$/, erased);
    default:
      return undefined;
  }
}

function volumeRule(name: string): Rule | undefined {
  switch (name) {
    case "badblocks":
      return diskWhen(/^-\w*w/);
    case "cryptsetup":
      return diskWhen(/^(?:erase|luksErase|luksFormat|reencrypt|luksKillSlot)$/);
    case "hdparm":
      return diskWhen(/^--(?:security-erase|trim-sector)/);
    case "nvme":
      return diskWhen(/^(?:format|sanitize|delete-ns|write-zeroes)$/);
    case "qemu-img":
      return diskWhen(/^\/dev\/(?!null|zero)/);
    case "mdadm":
      return diskWhen(/^(?:--zero-superblock|--stop|-S|--create|-C|--fail|--remove)$/);
    case "ddrescue":
      return (invocation) => (hasOption(invocation.args, "f", "--force") ? disk(invocation) : undefined);
    case "dcfldd":
      return diskWhen(/^of=\/dev\/(?!null)/, erased);
    case "flashrom":
      return diskWhen(/^(?:-\w*[wE]|--write|--erase)/, erased);
    case "zpool":
      return diskWhen(/^(?:destroy|labelclear)$/, erased);
    case "zfs":
      return diskWhen(/^(?:destroy|rollback)$/, erased);
    case "btrfs":
      return diskWhen(/^(?:delete|del)$/, erased);
    default:
      return undefined;
  }
}
