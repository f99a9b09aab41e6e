/** Inline programs that delete, empty or overwrite a single file named by a string literal. */

import { absolute } from "../../../lib/paths.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import { MARK, type Skeleton } from "../../../reading/programs/skeleton.ts";
import type { Program } from "../../../reading/shell/parse/reading.ts";
import type { Danger, DangerContext } from "./danger.ts";
import { fileDanger } from "./files.ts";

const STRING = `${MARK}(\\d+)${MARK}`;
const CALL = new RegExp(
  `\\b(os\\.(?:remove|unlink|truncate)|unlink(?:Sync)?|File\\.(?:delete|write|truncate)|open|(?:write|truncate)File(?:Sync)?|createWriteStream|Path)\\s*\\(?\\s*${STRING}\\s*(?:,\\s*${STRING})?([^;\\n]{0,40})`,
  "g",
);

export function fileLosses({ code, strings }: Skeleton, program: Program, ground: DangerContext): Danger[] {
  return [...code.matchAll(CALL)].flatMap(([, call = "", path = "", mode = "", rest = ""]) => {
    const kind = kindOf(call, strings[Number(mode || -1)]?.text ?? "", rest);
    const name = strings[Number(path)]?.text;
    const effect = kind && name !== undefined ? effectOn(name, kind, program, ground) : undefined;
    return (effect && fileDanger(effect, ground)) ?? [];
  });
}

function kindOf(call: string, mode: string, rest: string): "delete" | "write" | undefined {
  if (call === "Path") return /^\)?\.unlink/.test(rest) ? "delete" : /^\)?\.write_/.test(rest) ? "write" : undefined;
  if (call === "open") return /^[^ar]*[wx]|^>(?!>)/.test(mode) ? "write" : undefined;
  return /remove|unlink|delete/.test(call) ? "delete" : "write";
}

function effectOn(name: string, kind: "delete" | "write", program: Program, ground: DangerContext): Effect {
  const spelled = name.replace(/^~(?=\/|$)/, ground.home);
  const path = absolute(spelled, program.cwd ?? ground.cwd) ?? spelled;
  // Treated like `truncate`: nothing of the old content remains.
  return { kind, path, spelled, by: "truncate", literal: true, glob: false, recursive: false, elsewhere: false };
}
