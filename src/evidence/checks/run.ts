/** Determines which checks a command line ran, and whether its exit code is theirs. */

import { names } from "../../lib/name-table.ts";
import { quotedPath, within } from "../../lib/paths.ts";
import { type Proof, proofOf } from "../../reading/shell/proof/proof.ts";
import type { Step, Why } from "../../reading/shell/proof/state.ts";
import type { CheckName } from "../../state/check-names.ts";
import type { Check } from "./check.ts";
import { type Coverage, coverageOf, type Sources } from "./covers.ts";
import { provesItself } from "./definition.ts";
import { fillsIgnored } from "./install.ts";
import { kindOf } from "./kinds.ts";
import { isPart, type Known, known, type Likeness, likeness } from "./match.ts";
import { programOf } from "./spelling.ts";
import { checkPattern } from "./tools.ts";

export interface CheckRun {
  readonly check: CheckName;
  /** whole: exit code 0 of the line means that the check passed. */
  readonly how: "whole" | "partial" | "unproven";
  readonly why?: Why;
  /** A command that would count. */
  readonly instead?: string;
  /** The words that ran, cut to 200 characters. */
  readonly command: string;
  /** The virtual environment that the line activated first. */
  readonly sourced?: string;
  /** Another program on the same line, which may have changed the checked files and restored them. */
  readonly beside?: string;
  /** What the line looked at if it succeeds, whether it counts as the whole check or not; see `covers.ts`. */
  readonly covers?: readonly string[];
  /** A command behind a pipe that may fail or end by itself, so that another exit code than 0 tells nothing. */
  readonly behind?: string;
}

const COMMAND_MAX = 200;

/** Where the line runs, and what is known of the project. */
export interface Project {
  readonly cwd: string;
  readonly root: string;
  readonly home: string;
  readonly checks: readonly Check[];
  readonly sources: Sources;
  /** The shell sets `pipefail` by itself for lines that match `checkPattern`. */
  readonly pipes?: boolean;
}

export function checkRunsIn(command: string, project: Project): readonly CheckRun[] {
  const { cwd, root, home, checks, sources } = project;
  const proof = proofIn(command, project);
  if (proof.conclusive.some((step) => isVerify(step, root))) return checks.map(verified);
  if (proof.conclusive.length + proof.swallowed.length === 0) return [];
  const all = checks.map((check) => known(check, root));
  const spent = all.flatMap((one) => partsRun(one, proof, root) ?? []);
  const marks = marksOf([...proof.conclusive, ...proof.swallowed], all, root, sources).filter(
    ({ step, like }) => like !== "partial" || !spent.includes(step),
  );
  const scene: Scene = { command, cwd, root, home, proof, marks, sources };
  return all.flatMap((one) => runOf(one, scene));
}

function proofIn(command: string, { cwd, root, home, pipes = false }: Project): Proof {
  const place = { cwd, home, root };
  const proof = proofOf(command, place);
  const isSetUp = pipes && command.includes("|") && [...proof.conclusive, ...proof.swallowed].some(isMatched(command));
  return isSetUp ? proofOf(command, { ...place, pipefail: true }) : proof;
}

/** The shell looks at the text of the line, so the words must be in it as they are. */
const isMatched =
  (command: string) =>
  ({ words, open }: Step): boolean => {
    const said = words.join(" ");
    const at = open || said.length > SAID_MAX ? -1 : command.indexOf(said);
    const around = `${command.charAt(at - 1)}${command.charAt(at + said.length)}`;
    return at >= 0 && !/[\w-]/.test(around) && new RegExp(checkPattern()).test(said);
  };

const SAID_MAX = 300;

interface Scene {
  readonly command: string;
  readonly cwd: string;
  readonly root: string;
  readonly home: string;
  readonly proof: Proof;
  readonly marks: readonly Mark[];
  readonly sources: Sources;
}

/** A step that is a check, wholly or in part. */
interface Mark {
  readonly step: Step;
  readonly of: Known;
  readonly like: Likeness;
}

/** A step that is one whole check does not count as part of another. */
function marksOf(steps: readonly Step[], all: readonly Known[], root: string, sources: Sources): readonly Mark[] {
  return steps.flatMap((step) => {
    const marks = all.flatMap((of): Mark[] => {
      const like = likeness(step, of, root, sources);
      return like === undefined ? [] : [{ step, of, like }];
    });
    return marks.some(({ like }) => like === "whole") ? marks.filter(({ like }) => like !== "partial") : marks;
  });
}

/** At most one run per check: the most conclusive. */
function runOf(of: Known, scene: Scene): readonly CheckRun[] {
  const { check } = of;
  const runs = [
    ...inParts(of, scene),
    ...scene.marks.filter((mark) => mark.of === of).map((mark) => runBy(mark, scene)),
  ];
  const covering = coveringRun(of, scene);
  const best = ORDER.flatMap((how) => runs.find((run) => run.how === how) ?? [])[0] ?? covering ?? pipedRun(of, scene);
  if (best === undefined) return [];
  const own = best.how === "whole" ? provesItself(check) : undefined;
  if (own !== undefined) return [{ check: check.name, how: "unproven", why: own, command: best.command }];
  return [{ ...best, ...(covering && { covers: covering.covers }) }];
}

/** What the line looks at for this check, if its exit code tells and nothing after it could change the files. */
function coveringRun({ check }: Known, scene: Scene): CheckRun | undefined {
  const { proof, root, sources } = scene;
  const isChecking = (step: Step): boolean => isIdle(step) || kindOf(step.words, root) !== undefined;
  if (!proof.swallowed.every(isChecking)) return undefined;
  const changer = proof.conclusive.findLastIndex((step) => !isChecking(step));
  const found = proof.conclusive.slice(changer + 1).flatMap((step) => {
    const { checks, covers } = coverageOf(step, root, sources) ?? NOTHING;
    return isMeant(checks, check) ? [{ step, covers }] : [];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const covers = [...new Set(found.flatMap((one) => one.covers))];
  const ran = { check: check.name, command: told([first.step]), covers, ...behind(found.map(({ step }) => step)) };
  return { ...ran, how: "partial", why: "filtered", instead: check.command };
}

const NOTHING: Coverage = { checks: [], covers: [] };

function isMeant(checks: readonly CheckName[], { name, within }: Check): boolean {
  return checks.includes(name) || (within !== undefined && checks.includes(within));
}

/** The check in another spelling, behind a pipe that hides its exit code. */
function pipedRun({ check }: Known, { proof, root, sources }: Scene): CheckRun | undefined {
  const step = proof.swallowed.find(
    (one) => one.why === "pipe" && isMeant((coverageOf(one, root, sources) ?? NOTHING).checks, check),
  );
  return step && { check: check.name, how: "unproven", why: "pipe", command: told([step]), instead: check.command };
}

const ORDER = ["whole", "partial", "unproven"] as const;

function runBy({ step, of, like }: Mark, scene: Scene): CheckRun {
  const { check } = of;
  const ran = { check: check.name, command: told([step]), ...besides([step], scene), ...behind([step]) };
  const why = step.why ?? (like === "elsewhere" || step.cwd !== scene.root ? "elsewhere" : undefined);
  if (why !== undefined) return { ...ran, how: "unproven", why, instead: instead(of, why, scene) };
  if (like === "whole") return { ...ran, how: "whole" };
  return { ...ran, how: "partial", why: "filtered", instead: instead(of, "filtered", scene) };
}

/** All commands of the check one by one, or exactly the configured line. */
function inParts(of: Known, scene: Scene): readonly CheckRun[] {
  const { check } = of;
  const { proof, root, command, cwd } = scene;
  if (check.source === "settings" && cwd === root && command.trim() === check.command.trim())
    return [{ check: check.name, how: "whole", command: command.trim().slice(0, COMMAND_MAX) }];
  const steps = partsRun(of, proof, root);
  if (!steps) return [];
  return [{ check: check.name, how: "whole", command: told(steps), ...besides(steps, scene), ...behind(steps) }];
}

/** `grep` fails if it finds nothing, and `head` ends early, which kills the command before it. */
function behind(steps: readonly Step[]): Pick<CheckRun, "behind"> {
  const reader = steps.flatMap(({ readers = [] }) => readers).find((name) => !READ_ALL.has(name));
  return reader === undefined ? {} : { behind: reader };
}

const READ_ALL = names("tail cat tee sort wc uniq nl cut tr tac column fold sed");

/** Undefined unless every command of the check ran in this directory. */
function partsRun({ parts }: Known, { conclusive }: Proof, root: string): readonly Step[] | undefined {
  const here = conclusive.filter((step) => step.cwd === root);
  const steps = parts.flatMap((part) => here.find((step) => isPart(step, part, root)) ?? []);
  return parts.length > 0 && steps.length === parts.length ? steps : undefined;
}

function told(steps: readonly Step[]): string {
  return steps
    .map(({ words }) => words.join(" "))
    .join(" && ")
    .slice(0, COMMAND_MAX);
}

function besides(own: readonly Step[], { proof, marks, root }: Scene): Pick<CheckRun, "sourced" | "beside"> {
  const checked = new Set(marks.map(({ step }) => step));
  const others = [...proof.conclusive, ...proof.swallowed].filter((step) => !own.includes(step) && !checked.has(step));
  const writer =
    own.find((step) => writesMore(step, root)) ?? others.find((step) => !isIdle(step) || writesMore(step, root));
  const beside = writer?.words[0];
  const sourced = own.find((step) => step.sourced !== undefined)?.sourced;
  return { ...(sourced !== undefined && { sourced }), ...(beside !== undefined && { beside }) };
}

/** Redirecting output outside the project is fine; inside, only into log files. */
function writesMore({ writes, cwd }: Step, root: string): boolean {
  const isOutside = (path: string): boolean => path.startsWith("/") && !path.includes("..") && !within(path, root);
  return writes.some((path) => !isOutside(path) && !(cwd !== undefined && /^[\w./-]+\.(?:log|txt|out)$/.test(path)));
}

/** Commands that change nothing a check could read. */
const IDLE = names(
  "echo printf true : cd pwd ls mkdir cat head tail grep rg wc sort uniq cut tr jq date sleep which type command test [ set wait time uname whoami basename dirname tee",
);
/** Subcommands that do not change the work tree; changes by git hooks show up in the digest. */
const IDLE_GIT = names("status diff log show rev-parse branch ls-files add commit push fetch tag");
/** True for a command that changes nothing a check could read. */
export function isIdle(step: Step): boolean {
  const [name = "", verb = "", ...rest] = step.words;
  if (name === "tee")
    return [verb, ...rest].every((word) => word === "-a" || /^\/tmp\/[\w.-]+$|\.(?:log|txt|out)$/.test(word));
  if (name === "git") return IDLE_GIT.has(verb);
  return name === "" || IDLE.has(name) || fillsIgnored(step);
}

function instead(of: Known, why: Why, scene: Scene): string {
  const { command, cwd, root } = scene;
  const away = why === "elsewhere" || cwd !== root ? `cd ${quotedPath(root)} && ` : "";
  const piped = `set -o pipefail; ${command.trim()}`;
  return why === "pipe" && piped.length <= COMMAND_MAX && isWhole(of, piped, scene) ? piped : away + of.check.command;
}

function isWhole(of: Known, line: string, { cwd, root, home, sources }: Scene): boolean {
  const { conclusive } = proofOf(line, { cwd, home, root });
  return conclusive.some((step) => step.cwd === root && likeness(step, of, root, sources) === "whole");
}

/** `sekisho verify` runs every missing check and fails when one of them fails. */
function isVerify({ words, cwd, open }: Step, root: string): boolean {
  const [name, verb, ...options] = programOf(words, root);
  const isOurs = name === "sekisho" && verb === "verify" && !open && cwd !== undefined && within(cwd, root);
  return isOurs && options.every((option) => option === "--force" || option === "--json");
}

function verified({ name }: Check): CheckRun {
  return { check: name, how: "whole", command: "sekisho verify" };
}
