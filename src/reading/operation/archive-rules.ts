/** The file effects of archivers: files they overwrite when unpacking, and files they delete after packing. */

import { hasOption, optionValue } from "../shell/parse/options.ts";
import { literalWord, type Word } from "../shell/parse/reading.ts";
import { type Effect, effect, operands, type Rule } from "./effects.ts";
import { sources } from "./read-rules.ts";

/** `tar` in all spellings. Named members are overwritten by name, the rest below the target directory. */
const archive: Rule = (invocation) => {
  const { args } = invocation;
  const extracts =
    /^-?[a-zA-Z]*x/.test(args[0]?.text ?? "") || args.some(({ text }) => text === "--extract" || /^-\w*x/.test(text));
  const directory = optionValue(args, ["-C", "--directory"]) ?? literalWord(".");
  if (extracts) {
    const named = membersOf(args, directory).map((word) => effect(invocation, "write", word));
    return [effect(invocation, "write", directory, true), ...named];
  }
  const file =
    optionValue(args, ["-f", "--file"]) ??
    (/^-?[a-zA-Z]*cf?[a-zA-Z]*f?/.test(args[0]?.text ?? "") ? args[1] : undefined);
  const packed = sources(invocation);
  const moves = args.some(({ text }) => text === "--remove-files");
  const gone = moves ? packed.map((one): Effect => ({ ...one, kind: "delete" })) : [];
  return [...packed, ...gone, ...(file ? [effect(invocation, "write", file)] : [])];
};

function membersOf(args: readonly Word[], directory: Word): readonly Word[] {
  const file = optionValue(args, ["-f", "--file"]) ?? args[1];
  return args
    .slice(1)
    .filter((word) => word !== file && word !== directory && word.literal && !word.text.startsWith("-"))
    .map(({ text }) => literalWord(`${directory.text}/${text}`));
}

const unzips: Rule = (invocation) => [
  effect(invocation, "write", optionValue(invocation.args, ["-d"]) ?? literalWord("."), true),
];

/** `7z x a.7z -oout`, `unrar x a.rar out/`. */
const unpacks: Rule = (invocation) => {
  const [verb, , target] = operands(invocation);
  if (verb?.text === "a" && invocation.args.some(({ text }) => text === "-sdel"))
    return operands(invocation)
      .slice(2)
      .map((word) => effect(invocation, "delete", word, true));
  if (!/^[ex]$/.test(verb?.text ?? "")) return [];
  const named = optionValue(invocation.args, ["-o"]);
  return [
    effect(invocation, "write", named ?? (invocation.name === "unrar" ? target : undefined) ?? literalWord("."), true),
  ];
};

const copiesArchive: Rule = (invocation) =>
  hasOption(invocation.args, "i", "--extract") ? [effect(invocation, "write", literalWord("."), true)] : [];

/** The file is replaced by its compressed or decompressed version, unless the output goes to stdout. */
const packs: Rule = (invocation) => {
  const keeps = hasOption(invocation.args, "ctlk", "--stdout", "--test", "--list", "--keep");
  return operands(invocation, { short: "S", long: ["--suffix"] }).map((word) =>
    effect(invocation, keeps ? "read" : "write", word),
  );
};

/** `zip -m` deletes the files it has packed. */
const zips: Rule = (invocation) => {
  const moves = invocation.args.some(({ text }) => /^-[a-zA-Z]*m|^--move$/.test(text));
  const [target, ...packed] = operands(invocation, { short: "bnstP" });
  return [
    ...(target ? [effect(invocation, "write", target)] : []),
    ...packed.map((word) => effect(invocation, moves ? "delete" : "read", word, true)),
  ];
};

export function archiveRule(name: string): Rule | undefined {
  switch (name) {
    case "tar":
    case "gtar":
    case "bsdtar":
    case "jar":
      return archive;
    case "unzip":
      return unzips;
    case "zip":
      return zips;
    case "7z":
    case "7za":
    case "unrar":
      return unpacks;
    case "cpio":
      return copiesArchive;
    case "gzip":
    case "gunzip":
    case "bzip2":
    case "bunzip2":
    case "xz":
    case "unxz":
      return packs;
    default:
      return undefined;
  }
}
