/** Rewrites a settings file of the host, or throws the reason why it was not changed. */
import { replaceHostFile } from "../../world/machine/host-file-writing.ts";
import { Problem } from "../problem.ts";

/** An undefined `text` means that nothing is left, so the file is removed. */
type Result = { readonly text: string | undefined } | { readonly problem: string };

export function rewriteFile(path: string, before: string, result: Result): void {
  if ("problem" in result) throw new Problem(`${path} was left as it is: ${result.problem}.`);
  replaceHostFile(path, before, result.text);
}
