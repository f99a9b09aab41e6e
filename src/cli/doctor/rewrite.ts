/** Writes a settings file of the host anew, or says why it was left as it is. */
import type { Rewritten } from "../../hosts/claude-code/install.ts";
import { CommandError } from "../print.ts";
import { replaceText } from "../settings-file.ts";

export function rewriteFile(path: string, result: Rewritten): void {
  if ("problem" in result) throw new CommandError(`${path} was left as it is: ${result.problem}.`);
  replaceText(path, result.text);
}
