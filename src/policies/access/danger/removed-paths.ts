/** Paths that an unknown program is told to remove: by its own name, a subcommand or an option. */

import { names } from "../../../lib/name-table.ts";
import { ruleOf } from "../../../reading/operation/effect-rules.ts";
import { effect } from "../../../reading/operation/effects.ts";
import { cut } from "../../../reading/shell/parse/options.ts";
import type { Invocation, Word } from "../../../reading/shell/parse/reading.ts";
import type { Danger, DangerContext } from "./danger.ts";
import { fileDanger } from "./files.ts";

const REMOVES = names(
  "rm rmdir rmtree remove removes delete del deltree destroy purge wipe erase shred scrub trash unlink nuke obliterate",
);

const TELLS = names("--help --version --dry-run --dryrun --no-act --simulate --what-if --list");

export function removedPaths(invocation: Invocation, ground: DangerContext): readonly Danger[] {
  const { name = "", args, remote } = invocation;
  if (remote || ruleOf(name) || !isTold(name, args) || args.some(({ text }) => TELLS.has(text))) return [];
  return args.flatMap((word) => {
    const path = pathIn(word);
    const danger = path && fileDanger(effect(invocation, "delete", path, true), ground);
    return danger?.decision === "deny" ? [danger] : [];
  });
}

function isTold(name: string, args: readonly Word[]): boolean {
  if (name.split(/[-_.]/).some((part) => REMOVES.has(part))) return true;
  if (args.some(({ text }) => removingOption().test(text))) return true;
  return args.some(
    ({ text }) =>
      REMOVES.has(text.replace(/=.*$/, "")) || REMOVES.has(text.replace(/[-_]?(?:dir|file|folder)\w*$/i, "")),
  );
}

const removingOption = (): RegExp => /^(?:--?|\/)(?:delete|remove|purge|wipe|erase|shred|mir$)/i;

/** `dir=~/x` names a path too. */
function pathIn(word: Word): Word | undefined {
  const option = /^[\w.-]+=(?=[/~.$])/.exec(word.prefix)?.[0];
  const path = option === undefined ? word : cut(word, option.length);
  return path.literal && /^(?:[/~]|\.git(?:\/|$))/.test(path.text) ? path : undefined;
}
