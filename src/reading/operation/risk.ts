/** Domain and risk of a command, judged by its effect and not by its spelling. */

import { isMadeUp } from "../../lib/made-up.ts";
import { names } from "../../lib/name-table.ts";
import { within } from "../../lib/paths.ts";
import type { Invocation, ShellReading } from "../shell/parse/reading.ts";
import type { Place } from "../shell/parse/shell.ts";
import {
  type Because,
  type Domain,
  type Part,
  type Reach,
  RISKS,
  type Risk,
  UNREAD,
  UNREADABLE,
  type WholeReach,
  writeDomain,
} from "./domain.ts";
import { type Effect, isSink } from "./effects.ts";
import { gitReach } from "./git.ts";
import { networkReach, runsNetworkText } from "./network.ts";
import { isBuilt } from "./rebuildable.ts";
import { beyondProject } from "./worth-asking.ts";

/**
 * The riskiest command decides for the line. Among equals, a command that changes something wins, then the first one.
 */
export function reachOf(reading: ShellReading, effects: readonly Effect[], place: Place): WholeReach {
  const started = new Set(
    reading.invocations
      .filter((invocation) => STARTERS.has(invocation.via.at(-1) ?? "") && isTestRun(invocation))
      .map(({ via }) => via.at(-1)),
  );
  const reaches = reading.invocations
    // `npx vitest` counts as `vitest`.
    .filter(({ name, redirects }) => redirects.length > 0 || name === undefined || !started.has(name))
    .map((invocation) => reachOfInvocation(invocation, effects, place));
  const isUnread = reading.unknown.length > 0;
  if (isUnread || reading.programs.length > 0 || reaches.length === 0)
    reaches.push({ ...UNREAD, ...(isUnread && UNREADABLE), domains: [UNREAD.domain] });
  const all = reaches.map(asReading);
  const { domain, risk } = all.reduce((worst, reach) => {
    const more = RISKS.indexOf(reach.risk) - RISKS.indexOf(worst.risk);
    return more > 0 || (more === 0 && reach.changes && !worst.changes) ? reach : worst;
  });
  const acting = all.filter(({ changes }) => changes);
  const deletes = all.every((one) => one.risk !== risk || one.deletes) && { deletes: true as const };
  const parts = partsOf(acting.length > 0 ? acting : all);
  const looks = new Set(acting.length > 0 ? all.filter(({ changes }) => !changes).map((one) => one.domain) : []);
  return { domain, risk, changes: acting.length > 0, parts, looks: [...looks], ...deletes };
}

/** Every kind of work with the risk of the command that does it. */
function partsOf(reaches: readonly InvocationReach[]): readonly Part[] {
  const parts = new Map<string, Part>();
  for (const { domains, risk, worthAsking, because } of reaches) {
    const more = { ...(worthAsking && { worthAsking }), ...(because && { because }) };
    for (const domain of domains) parts.set(`${domain} ${risk} ${worthAsking}`, { domain, risk, ...more });
  }
  return [...parts.values()];
}

interface InvocationReach extends Reach {
  /** The command itself and the files that it changes may belong to different domains. */
  readonly domains: readonly Domain[];
}

/**
 * A command known to change nothing counts as file_read, so that running `true` a hundred times earns no trust for
 * shell_exec.
 */
function asReading(reach: InvocationReach): InvocationReach {
  const { domain, changes } = reach;
  return changes || domain !== "shell_exec" ? reach : { ...reach, domain: "file_read", domains: ["file_read"] };
}

const STARTERS = names("npx bunx pnpx uvx npm pnpm yarn bun uv poetry pipenv hatch bundle mise");

function reachOfInvocation(invocation: Invocation, effects: readonly Effect[], place: Place): InvocationReach {
  const own = effects.filter((effect) => effect.invocation === invocation && effect.kind !== "read");
  const reach = reachWith(invocation, own, place);
  const because = acts(invocation, reach) ? beyondProject(invocation, own, place) : undefined;
  return because ? { because, ...reach, worthAsking: "beyond" } : reach;
}

/** For a command on another machine: whether it would change something there. */
function acts(invocation: Invocation, { changes }: Reach): boolean {
  return invocation.remote ? plainReach({ ...invocation, remote: false }).changes : changes;
}

function reachWith(invocation: Invocation, own: readonly Effect[], place: Place): InvocationReach {
  const plain = plainReach(invocation);
  const domains = domainsOf(invocation, plain, own, place);
  if (assignsSecret(invocation))
    return { ...plain, risk: "critical", changes: true, domains, because: "secret written" };
  const [first] = own;
  if (!first) return { ...plain, domains };
  const written = own.find(({ kind }) => kind === "write") ?? first;
  const byPath = !plain.changes || FILE_CHANGERS.has(invocation.name ?? "");
  const domain = byPath ? writeDomain(written.path, place.cwd) : plain.domain;
  const loss = lossOf(own, place);
  const kind: Because = written.kind === "write" ? "disk written" : "place deleted";
  const because = loss === "critical" && { because: kind };
  if (!DELETERS.has(invocation.name ?? "")) {
    return { ...plain, domain, risk: atLeast(plain.risk, loss), changes: true, domains, ...because };
  }
  // For a command that only deletes, the deleted files decide the risk.
  return { domain, risk: loss, changes: true, deletes: true, domains, ...because };
}

/**
 * The domain of the command itself plus the domain of each file it changes. Files that git or Sekisho manage do not
 * count.
 */
function domainsOf(invocation: Invocation, plain: Reach, own: readonly Effect[], { cwd }: Place): readonly Domain[] {
  if (own.length === 0 || invocation.remote) return [plain.domain];
  const { name = "", redirects } = invocation;
  const isRedirected = ({ spelled }: Effect): boolean => redirects.some(({ target }) => target.text === spelled);
  const changed =
    plain.domain === "control"
      ? own.filter(isRedirected)
      : own.filter(({ path }) => name !== "git" || !GIT_OWN.test(path));
  const files = changed.map(({ path }) => writeDomain(path, cwd));
  const isOnlyFiles = files.length > 0 && (!plain.changes || FILE_CHANGERS.has(name));
  return isOnlyFiles ? files : [plain.domain, ...files];
}

const GIT_OWN = /\/\.git(?:\/|$)/;

/** The highest risk among the effects. */
function lossOf(effects: readonly Effect[], place: Place): Risk {
  const risks = effects.map((effect): Risk => {
    if (effect.kind === "write" && BLOCK_DEVICE.test(effect.path)) return "critical";
    if (effect.kind !== "delete") return "medium";
    if (effect.literal && effect.recursive && effect.by !== "git" && isWhole(effect.path, place)) return "critical";
    return isRebuilt(effect, place.cwd) ? "medium" : "high";
  });
  return risks.reduce(atLeast, "medium");
}

const BLOCK_DEVICE = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk|md|dm-|mapper\/)/;

/** A root directory, a home, the project or a directory above it, or `.git`: losing one of these cannot be undone. */
function isWhole(path: string, { cwd, home }: Place): boolean {
  const [root, first, second, third] = path.split("/");
  const isHome = (first === "home" || first === "Users") && second !== "" && third === undefined;
  if (root === "" && first !== undefined && (second === undefined || isHome)) return true;
  if (path.endsWith("/.git")) return true;
  return within(home, path) || (cwd !== undefined && within(cwd, path));
}

/** Files that the project's own tools can regenerate. */
function isRebuilt({ path, literal }: Effect, cwd: string | undefined): boolean {
  return literal && cwd !== undefined && within(path, cwd) && isBuilt(path.slice(cwd.length));
}

function plainReach(invocation: Invocation): Reach {
  if (runsNetworkText(invocation))
    return { domain: "shell_exec", risk: "critical", changes: true, because: "network text run" };
  if (invocation.name === "git") return gitReach(invocation);
  const ours = invocation.name === "sekisho" && !invocation.remote ? ownReach(invocation) : undefined;
  if (ours) return ours;
  return networkReach(invocation) ?? commandReach(invocation);
}

function atLeast(risk: Risk, floor: Risk): Risk {
  return RISKS.indexOf(risk) < RISKS.indexOf(floor) ? floor : risk;
}

function assignsSecret({ name, args, assignments }: Invocation): boolean {
  if (assignments.some((each) => SECRET.test(each.name) && isTold(each.value.text, each.value.literal))) return true;
  const declares = name === "export" || name === "declare" || name === "readonly" || name === "typeset";
  return (
    declares &&
    args.some(({ text, literal }) => {
      const [, variable = "", value = ""] = /^(\w+)=(.*)$/s.exec(text) ?? [];
      return SECRET.test(variable) && isTold(value, literal);
    })
  );
}

/**
 * True if a real secret is written on the line and therefore in the transcript. Substituted values and test
 * placeholders do not count.
 */
function isTold(value: string, literal: boolean): boolean {
  return literal && value !== "" && !isMadeUp(value);
}

const SECRET = /(?:API_KEY|SECRET|TOKEN|PASSWORD|PRIVATE_KEY|ACCESS_KEY)$/i;

/** Looks in the tables first, because most commands are `ls`, `cat` and `cd`. */
function commandReach({ name, args, remote }: Invocation): Reach {
  if (name === undefined) return UNREAD;
  if (remote) return { domain: "shell_exec", risk: "high", changes: true };
  if (FILE_READERS.has(name)) return { domain: "file_read", risk: "low", changes: false };
  if (QUIET.has(name)) return { domain: "shell_exec", risk: "low", changes: false };
  const words = args.map(({ text }) => text);
  if (HIGH.has(name)) {
    const looks = words.some((word) => LOOKS.has(word) || (word.startsWith("list-") && /^list-\w+$/.test(word)));
    const deletes = DELETERS.has(name) && { deletes: true as const };
    return { domain: "shell_exec", risk: looks ? "low" : "high", changes: !looks, ...deletes };
  }
  if (runsTests(name, words)) return { domain: "test_run", risk: "low", changes: true };
  const risk: Risk = name.startsWith("mkfs")
    ? args.some(({ text, literal }) => !literal || text.startsWith("/dev/"))
      ? "critical"
      : "high"
    : name.startsWith("pip") && words.includes("install")
      ? "high"
      : "medium";
  return { domain: "shell_exec", risk, changes: true };
}

/** Our own read-only subcommands and `save`: allowed in every stance if called by the bare program name. */
function ownReach({ word, args, assignments, contained, redirects }: Invocation): Reach | undefined {
  const [verb] = args;
  const isPlain = word.text === "sekisho" && verb?.literal === true && assignments.length === 0 && !contained;
  if (!isPlain) return undefined;
  if (LOOKING_AT_US.has(verb.text)) return { domain: "control", risk: "low", changes: false };
  const staysHere = redirects.every(({ kind, target }) => kind === "read" || isSink(target));
  return verb.text === "save" && staysHere ? { domain: "control", risk: "low", changes: true } : undefined;
}

const LOOKING_AT_US = names(
  "status trust stance config explain audit policies report statusline load export help version",
);

const HIGH = names(
  "rm rmdir unlink shred chmod chown chgrp apt apt-get brew yum dnf ssh scp systemctl reboot shutdown poweroff halt",
);
const DELETERS = names("rm rmdir unlink");
/** Read-only subcommands of package and service managers. `rm list` also matches, but its effects show the deletion. */
const LOOKS = names("list search info status is-active is-enabled policy --version");
/** Commands that only change files, so that the changed files decide the domain. */
const FILE_CHANGERS = names("sed gsed tee sponge cp mv ln install dd truncate touch mkdir patch");
const FILE_READERS = names(
  "ls cat grep egrep fgrep rg find head tail wc file du pwd stat tree nl tac less more bat xxd od hexdump strings md5sum sha1sum sha256sum cksum df",
);
const QUIET = names(
  ": true false echo printf jq sort uniq tr cut tee basename dirname date whoami cd pushd popd test [ export set unset local declare read shift command type which sleep seq rev realpath readlink uname id env diff cmp comm xargs ps free lsof man tldr nproc uptime",
);

function isTestRun({ name, args }: Invocation): boolean {
  return (
    name !== undefined &&
    runsTests(
      name,
      args.map(({ text }) => text),
    )
  );
}

function runsTests(name: string, words: readonly string[]): boolean {
  if (TEST_RUNNERS.has(name)) return true;
  const [first, second = ""] = words;
  if (PACKAGE_MANAGERS.has(name))
    return first === "test" || first === "t" || (first === "run" && second.startsWith("test"));
  if (TOOLCHAINS.has(name)) return first === "test";
  return name.startsWith("python") && first === "-m" && (second === "pytest" || second === "unittest");
}

const TEST_RUNNERS = names("pytest bats vitest jest rspec phpunit mocha ctest tox");
const PACKAGE_MANAGERS = names("npm pnpm yarn bun");
const TOOLCHAINS = names("go cargo deno dotnet mix swift");
