/** How far a command reaches: its domain and its risk, from what it does and not from how it is spelled. */

import { type Domain, type Risk, writeDomain } from "./operation-domain.ts";
import type { Effect } from "./operation-effects.ts";
import { gitCommand } from "./shell-git.ts";
import type { Invocation, ShellReading } from "./shell-reading.ts";

export interface Reach {
  readonly domain: Domain;
  readonly risk: Risk;
  readonly changes: boolean;
}

/** The riskiest command speaks for the line; among equals, one that changes something, then the first. */
export function reachOf(reading: ShellReading, effects: readonly Effect[], cwd: string | undefined): Reach {
  const reaches = reading.invocations.map((invocation) => reachOfInvocation(invocation, effects, cwd));
  if (reading.unknown.length > 0 || reading.programs.length > 0 || reaches.length === 0) reaches.push(UNREAD);
  return reaches.reduce((worst, reach) => {
    const more = ORDER.indexOf(reach.risk) - ORDER.indexOf(worst.risk);
    const chosen = more > 0 || (more === 0 && reach.changes && !worst.changes) ? reach : worst;
    return { ...chosen, changes: worst.changes || reach.changes };
  });
}

const ORDER: readonly Risk[] = ["low", "medium", "high", "critical"];
/** What could not be read is never low. */
const UNREAD: Reach = { domain: "shell_exec", risk: "medium", changes: true };

function reachOfInvocation(invocation: Invocation, effects: readonly Effect[], cwd: string | undefined): Reach {
  const own = effects.filter((effect) => effect.invocation === invocation && effect.kind !== "read");
  const plain = invocation.name === "git" ? gitReach(invocation) : commandReach(invocation);
  if (assignsSecret(invocation)) return { ...plain, risk: "critical", changes: true };
  const [first] = own;
  if (!first) return plain;
  const deletes = own.some(({ kind }) => kind === "delete");
  const written = own.find(({ kind }) => kind === "write") ?? first;
  const byPath = !plain.changes || FILE_CHANGERS.has(invocation.name ?? "");
  const domain = byPath ? writeDomain(written.path, cwd) : plain.domain;
  return { domain, risk: atLeast(plain.risk, deletes ? "high" : "medium"), changes: true };
}

function atLeast(risk: Risk, floor: Risk): Risk {
  return ORDER.indexOf(risk) < ORDER.indexOf(floor) ? floor : risk;
}

function assignsSecret({ name, args, assignments }: Invocation): boolean {
  if (assignments.some((each) => SECRET.test(each.name) && each.value.text !== "")) return true;
  const declares = name === "export" || name === "declare" || name === "readonly" || name === "typeset";
  return declares && args.some(({ text }) => SECRET.test(/^(\w+)=./.exec(text)?.[1] ?? ""));
}

const SECRET = /(?:API_KEY|SECRET|TOKEN|PASSWORD|PRIVATE_KEY|ACCESS_KEY)$/i;

function commandReach({ name, args, remote }: Invocation): Reach {
  const words = args.map(({ text }) => text);
  if (name === undefined) return UNREAD;
  if (sends(name, words)) return { domain: "shell_exec", risk: "critical", changes: true };
  if (HIGH.has(name) || (/^pip[\d.]*$/.test(name) && words.includes("install")) || remote) {
    return { domain: "shell_exec", risk: "high", changes: true };
  }
  if (runsTests(name, words)) return { domain: "test_run", risk: "low", changes: true };
  if (FILE_READERS.has(name)) return { domain: "file_read", risk: "low", changes: false };
  return { domain: "shell_exec", risk: QUIET.has(name) ? "low" : "medium", changes: !QUIET.has(name) };
}

/** Mail leaves the machine; so does a request to a host that is not this machine. */
function sends(name: string, words: readonly string[]): boolean {
  if (name === "mail" || name === "sendmail" || name.startsWith("smtp")) return true;
  if (name !== "curl" && name !== "wget") return false;
  return words.some(
    (word) => /^https?:\/\//i.test(word) && !/^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i.test(word),
  );
}

const HIGH = new Set(
  "rm rmdir unlink shred chmod chown chgrp apt apt-get brew yum dnf ssh scp systemctl reboot shutdown poweroff halt".split(
    " ",
  ),
);
/** They do nothing but change files: what they change says it all. */
const FILE_CHANGERS = new Set("sed gsed tee sponge cp mv ln install dd truncate touch mkdir patch".split(" "));
const FILE_READERS = new Set("ls cat grep egrep fgrep rg find fd head tail wc file du pwd stat tree nl tac".split(" "));
const QUIET = new Set(
  ": true false echo printf jq sort uniq tr cut tee basename dirname date whoami cd pushd popd test [ export set unset local declare read shift command type which sleep seq rev realpath readlink uname id hostname env diff cmp comm xargs".split(
    " ",
  ),
);

function runsTests(name: string, words: readonly string[]): boolean {
  if (/^(?:pytest|bats|vitest|jest|rspec|phpunit|mocha|ctest|tox)$/.test(name)) return true;
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name))
    return words[0] === "test" || words[0] === "t" || (words[0] === "run" && /^test/.test(words[1] ?? ""));
  if (/^(?:go|cargo|deno|dotnet|mix|swift)$/.test(name)) return words[0] === "test";
  return /^python/.test(name) && words[0] === "-m" && /^(?:pytest|unittest)$/.test(words[1] ?? "");
}

const GIT_REMOTE = new Set(["push", "pull", "fetch", "clone", "ls-remote"]);
const GIT_READ = new Set(
  "status log diff show branch remote rev-parse describe blame ls-files ls-tree cat-file shortlog grep merge-base reflog".split(
    " ",
  ),
);
const GIT_LOCAL = new Set(
  "add commit stash rebase merge cherry-pick tag checkout switch restore reset clean rm mv apply am revert worktree init config".split(
    " ",
  ),
);

function gitReach({ args }: Invocation): Reach {
  const { verb, args: rest } = gitCommand(args);
  if (verb === undefined) return UNREAD;
  if (GIT_REMOTE.has(verb)) return { domain: "git_remote", risk: verb === "push" ? "high" : "medium", changes: true };
  if (GIT_READ.has(verb))
    return gitReading(
      verb,
      rest.map(({ text }) => text),
    );
  const risk: Risk = verb === "merge" || verb.startsWith("force") ? "high" : "medium";
  return { domain: GIT_LOCAL.has(verb) ? "git_local" : "shell_exec", risk, changes: true };
}

/** `git branch` reads, `git branch -D x` does not. */
function gitReading(verb: string, words: readonly string[]): Reach {
  const acts =
    (verb === "branch" &&
      words.some((word) => /^-[a-zA-Z]*[dDmMcCfu]|^--(?:delete|move|copy|force|set-upstream)/.test(word))) ||
    (verb === "remote" && /^(?:add|remove|rm|rename|set-url|prune)$/.test(words[0] ?? "")) ||
    (verb === "reflog" && /^(?:expire|delete)$/.test(words[0] ?? ""));
  return acts
    ? { domain: "git_local", risk: "medium", changes: true }
    : { domain: "git_read", risk: "low", changes: false };
}
