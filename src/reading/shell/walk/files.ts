/** Files that a line writes and may run later: `curl -o x.sh …; sh x.sh`. */

import { names } from "../../../lib/name-table.ts";
import { absolute, baseName } from "../../../lib/paths.ts";
import { fileStream } from "../commands/interpreters.ts";
import { optionValue } from "../parse/options.ts";
import type { Redirect, Stream, Word } from "../parse/reading.ts";
import { argsOf, type Call } from "./call.ts";
import type { Scope } from "./scope.ts";

/** Records the content that a command writes to files, for later commands of the line. */
export function noteFiles(name: string | undefined, call: Call, output: Stream): void {
  for (const { kind, target } of call.redirects) if (kind !== "read") keep(call, target, output);
  if (name === undefined || !LEAVES_FILES.has(name)) return;
  const args = argsOf(call);
  const operands = args.filter(({ text }) => !text.startsWith("-"));
  if (name === "rm") for (const operand of operands) forget(call, operand);
  else if (name === "curl") keep(call, downloadName(args, ["-o", "--output"], ["-O", "--remote-name"]), opaque(output));
  else if (name === "wget") keep(call, downloadName(args, ["-O", "--output-document"], undefined), opaque(output));
  else if (name === "tee") for (const operand of operands) keep(call, operand, output);
  else if (name === "dd") copyBlocks(call, args, output);
  else if (operands.length >= 2) copy(call, operands[operands.length - 2], operands[operands.length - 1]);
}

const LEAVES_FILES = names("rm curl wget tee dd cp mv ln install rsync scp");

function opaque({ from }: Stream): Stream {
  return { text: undefined, from };
}

function downloadName(
  args: readonly Word[],
  named: readonly string[],
  remote: readonly string[] | undefined,
): Word | undefined {
  const value = optionValue(args, named);
  if (value) return value;
  const derived = remote === undefined || args.some(({ text }) => remote.includes(text) || /^-[a-zA-Z]*O/.test(text));
  const url = args.find(({ text }) => !text.startsWith("-") && /[./]/.test(text));
  return derived && url ? { ...url, text: baseName(url.text), prefix: baseName(url.text) } : undefined;
}

function operand(args: readonly Word[], key: string): Word | undefined {
  const found = args.find(({ prefix }) => prefix.startsWith(key));
  return found && { ...found, text: found.text.slice(key.length), prefix: found.prefix.slice(key.length) };
}

/** Without `if=`, `dd` writes its input. */
function copyBlocks(call: Call, args: readonly Word[], output: Stream): void {
  const [from, to] = [operand(args, "if="), operand(args, "of=")];
  if (from) copy(call, from, to);
  else keep(call, to, call.stdin ?? opaque(output));
}

function copy(call: Call, from: Word | undefined, to: Word | undefined): void {
  const stream = from && (fileStream(call, from) ?? program(from));
  if (stream && to) keep(call, to, stream);
}

/** A copy of a program or a link to it runs as that program. */
function program({ text, literal }: Word): Stream | undefined {
  return literal && /^\/(?:usr\/)?(?:local\/)?s?bin\/[\w.+-]+$/.test(text)
    ? { text: `${text} "$@"`, from: [] }
    : undefined;
}

function forget(call: Call, file: Word): void {
  const path = absolute(file.text, call.cwd);
  if (path !== undefined) call.scope.files.delete(path);
}

function keep(call: Call, file: Word | undefined, stream: Stream): void {
  const path = file?.literal ? absolute(file.text, call.cwd) : undefined;
  if (path === undefined || path === "/dev/null" || file?.text === "-") return;
  call.scope.files.set(path, stream);
}

/** The output of a whole group goes to the files it is redirected to. */
export function keepOutput(redirects: readonly Redirect[], output: Stream, scope: Scope): void {
  for (const { target } of redirects) {
    const path = target.literal ? absolute(target.text, scope.cwd) : undefined;
    if (path !== undefined) scope.files.set(path, output);
  }
}
