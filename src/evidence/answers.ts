/** Commands whose exit code 1 means "no" and not a failure. */
import { names } from "../lib/name-table.ts";
import type { Invocation, ShellReading } from "../reading/shell/parse/reading.ts";

const ASKING = names("grep egrep fgrep zgrep rg ag ack diff cmp test [ [[ which type command pgrep find");
/** Commands that may precede the question and are not what fails. */
const LEADING = names("cd cat head tail sort uniq tr cut wc ls echo printf");

/** The last command must ask, and those before it must be harmless: `npm test && [ 1 ]` is a test that may fail. */
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
