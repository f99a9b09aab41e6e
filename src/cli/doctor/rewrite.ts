/** Writes a settings file of the host anew, or says why it was left as it is. */
import { replaceHostFile } from "../../world/host-file-writing.ts";
import { CommandError } from "../print.ts";

/** `text` undefined: nothing is left in the file, so it goes. */
type Result = { readonly text: string | undefined } | { readonly problem: string };

export function rewriteFile(path: string, before: string, result: Result): void {
  if ("problem" in result) throw new CommandError(`${path} was left as it is: ${result.problem}.`);
  replaceHostFile(path, before, result.text);
}
