/** Commands whose failure is no failure of the work: it is an answer, or something was refused and nothing lost. */
import { names, Rows } from "../lib/name-table.ts";
import type { Invocation, ShellReading } from "../reading/shell/parse/reading.ts";
import { kindOf } from "./checks/kinds.ts";

const ASKING = names("grep egrep fgrep zgrep rg ag ack diff cmp test [ [[ which type command pgrep find");
/** Commands that may precede the question and are not what fails. */
const LEADING = names("cd cat head tail sort uniq tr cut wc ls echo printf");

/** Exit code 1 means "no". The last command must ask, and those before it must be harmless. */
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

/**
 * A line of which any part may fail without harm: questions, checks of code that is being worked on, reading, and what
 * a program refuses to do by itself. With any exit code, because a pipe or a runner may change it.
 */
export function mayFail({ invocations, unknown }: ShellReading): boolean {
  return invocations.length > 0 && unknown.length === 0 && invocations.every(isSpared);
}

function isSpared(one: Invocation): boolean {
  const { name = "", args } = one;
  const words = args.map(({ text }) => text);
  if (asks(one) || LEADING.has(name) || SPARED.has(name)) return true;
  const verbs = VERBS.get(name)?.split(" ");
  const [verb = "", second = ""] = words.filter((word) => !word.startsWith("-"));
  const isListed = verbs !== undefined && (verbs.includes(verb) || verbs.includes(`${verb}:${second}`));
  return isListed ? !words.some(isForced) : kindOf([name, ...words], "/") !== undefined;
}

/** They look, wait, end a process that may be gone, or format code that is being worked on. */
const SPARED = names(
  "kill pkill killall wait sleep true false : pwd date stat file du df tree jq awk sed nl column basename dirname realpath readlink ps lsof ss netstat nc ping pg_isready rmdir set export cmp md5sum sha256sum prettier black gofmt goimports rustfmt shfmt",
);
/** Subcommands that look, or that refuse to lose anything. */
const VERBS = new Rows(`
git: status log show diff branch grep check-ignore rev-parse show-ref ls-files ls-remote merge-base describe blame remote
  tag add commit checkout switch worktree:list worktree:remove stash:list
gh: pr:view pr:list pr:checks pr:diff pr:status pr:create run:view run:list run:watch issue:view issue:list repo:view
  auth:status variable:list secret:list label:list release:view release:list workflow:list workflow:view
mise: run:fmt run:format
pnpm: run:fmt run:format fmt format
yarn: run:fmt run:format fmt format
cargo: fmt
go: fmt
ruff: format
docker: ps logs inspect images port
npm: ls outdated view why explain run:fmt run:format
systemctl: status is-active is-enabled
`);

function isForced(word: string): boolean {
  return /^-(?:[a-zA-Z]*[fD]|-force|-hard)$/.test(word);
}
