/** Commands that ask something: their exit code 1 means "no" and is nobody's failure. */
import { names } from "./name-table.ts";
import type { Invocation, ShellReading } from "./shell-reading.ts";

const ASKING = names("grep egrep fgrep zgrep rg ag ack diff cmp test [ [[ which type command pgrep find");
/** They stand before a question without being what fails. */
const LEADING = names("cd cat head tail sort uniq tr cut wc ls echo printf");

/** The last command asks, and none before it does anything else: `npm test && [ 1 ]` is a test that may fail. */
export function answersByExitCode({ invocations, unknown }: ShellReading): boolean {
  const last = invocations.at(-1);
  if (last === undefined || unknown.length > 0 || !asks(last)) return false;
  return invocations.every((one) => asks(one) || LEADING.has(one.name ?? ""));
}

function asks({ name, args }: Invocation): boolean {
  if (name === undefined) return false;
  if (name !== "git") return ASKING.has(name);
  const [verb, ...words] = args.map(({ text }) => text);
  return verb === "grep" || (verb === "diff" && words.some((word) => ASKS_OF_DIFF.has(word)));
}

const ASKS_OF_DIFF = names("--exit-code --quiet --check");
