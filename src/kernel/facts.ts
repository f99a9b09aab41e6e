/** Everything a policy may ask to know. Facts are looked up in one round before anything is decided. */

import type { Activity } from "../state/activity.ts";
import type { BegunCheck, CheckHistories, Definitions } from "../state/checks.ts";
import type { Cursor, OpenUse } from "../state/coverage.ts";
import type { Grant, Pause } from "../state/grants.ts";
import type { Habit, Suggestion } from "../state/habits.ts";
import type { Linter } from "../state/lint.ts";
import type { ModeName, Modes } from "../state/modes.ts";
import type { Refused } from "../state/refused.ts";
import type { Client, Registration, Session } from "../state/session.ts";
import type { Settings, SettingsProblem } from "../state/settings.ts";
import type { Ledger } from "../state/trust.ts";
import type { Check } from "./check.ts";
import type { Handover } from "./handover.ts";
import type { Topic } from "./learnings.ts";
import type { Operation } from "./operation.ts";
import type { Boxes } from "./plan-boxes.ts";
import type { ProtectedPlace, ProtectionLevel } from "./protected-list.ts";
import type { Invocation } from "./shell-reading.ts";
import type { StanceInForce } from "./stance.ts";
import type { Told } from "./told-results.ts";

/** Where our own things lie on this machine: what no agent may change. Absolute, symlinks resolved. */
export interface Places {
  /** The project's root: the main work tree, or the directory the session began in. */
  readonly project: string;
  readonly home: string;
  /** State of all projects, with the code cache. */
  readonly state: string;
  /** This project's part of the state: the journal and its snapshots. */
  readonly journal: string;
  /** The settings files people write, weakest first. */
  readonly settingsFiles: readonly string[];
  /** Files and directories people configure us with. */
  readonly config: readonly string[];
  /** The program itself. */
  readonly installed: readonly string[];
  /** The host's settings files, where the hooks are registered. */
  readonly hostSettings: readonly string[];
}

/** The process that called us, and whether it stands below a client that a session is already bound to. */
export interface Caller {
  readonly client: Client;
  /** The host says which process it is; it must be the one that called. */
  readonly isHost: boolean;
  readonly insideAgent: boolean;
  /** The session is bound to another process, and that one is still alive. */
  readonly heldElsewhere: boolean;
}

/** Whether a settings file of the host has our hooks, and what in it would switch them off. */
export interface Arming {
  /** The file could be read as the host would read it; a missing file is readable and empty. */
  readonly readable: boolean;
  /** Events for which our hooks are registered, whole and as we would write them. */
  readonly hooks: readonly string[];
  /** Keys that would switch hooks off or put something between the host and us. */
  readonly disarms: readonly string[];
  /** Keys of which we cannot tell whether the host would accept them. */
  readonly strange: readonly string[];
  /** Commands that the host runs by itself, ours left out. */
  readonly runs: readonly string[];
}

/** A settings file of the host: as it is, and as it would be after the operation in question. */
export interface SettingsFile {
  readonly path: string;
  readonly now: Arming;
  /** Undefined when it cannot be told: an edit of words that do not stand there letter for letter. */
  readonly after: Arming | undefined;
}

/** The resident half of the fast lane, as the events that see to it found it and left it. */
export interface Gatehouse {
  /** `none`: nothing here relies on one. `stranger`: somebody answers at its door who is not it. */
  readonly found: "none" | "up" | "down" | "stranger" | "other-version";
  /** `plain`: the hooks were moved to the plain lane, because it could not be brought back. */
  readonly now: "none" | "up" | "down" | "plain";
  /** Why, where that is not plain from the rest. */
  readonly detail: string;
  /** What became of a command that must be refused and was sent through its door, where one was. */
  readonly canary?: Canary;
}

/** What people have let pass, as far as it is in force now. */
export interface LeaveInForce {
  readonly pause?: Pause;
  readonly grants: readonly (Grant & { readonly id: string })[];
  /** Questions that a person has answered for good, for a while. */
  readonly habits?: readonly (Habit & { readonly id: string })[];
  /** Of this tool use; looked up only while there are habits to compare it with. */
  readonly shape?: string;
  readonly cwd?: string;
  /** Digest of this very tool use. Looked up only while there are grants to compare it with. */
  readonly effect?: string;
}

/** What one line of the host's transcript tells about tool uses. */
export interface TranscriptLine {
  readonly uses: readonly TranscriptUse[];
  readonly results: readonly TranscriptResult[];
  /** The line belongs to a subagent, in whosever transcript it stands. */
  readonly aside: boolean;
}

export interface TranscriptUse extends Omit<OpenUse, "agent"> {
  /** When it was said, by the host's clock. */
  readonly at: number;
}

export interface TranscriptResult {
  readonly id: string;
  /** It ran, well or badly. False: it was turned away, or never was a call at all. */
  readonly ran: boolean;
}

/** The part of a transcript that is new since it was last read. */
export interface Transcript extends Pick<TranscriptLine, "uses" | "results"> {
  readonly cursor: Omit<Cursor, "at">;
  /** It does not join what was read before, or a line in it was too long to be read. */
  readonly broken: boolean;
}

/** A command that must be refused, put to the gate as an agent's would be. */
export interface Canary {
  /** By the law itself: a gate that shuts because it is broken proves nothing. */
  readonly denied: boolean;
  /** Who refused it, or what happened instead. */
  readonly detail: string;
}

/** The work tree that something lies in, and the branch that is checked out there. */
export interface CheckedOut {
  readonly root: string;
  readonly branch: string;
}

/** One line of the list of protected files, and where it holds here. */
export interface ProtectedFiles {
  readonly level: ProtectionLevel;
  readonly pattern: string;
  /** Below the project's root, and below its other work trees as far as they are reached. */
  readonly places: readonly ProtectedPlace[];
  /** Where the pattern is a path: that, and where it really leads. */
  readonly paths: readonly string[];
  /** False when it is a path, and nothing is there. */
  readonly isThere: boolean;
}

/** What stands in the index of a repository and not in its newest commit; or why that could not be seen. */
export type Staged =
  | {
      readonly count: number;
      /** The first few. */
      readonly names: readonly string[];
      /** There are more than `count`: the list was too long to be read. */
      readonly more: boolean;
    }
  | { readonly unseen: string };

/** A file of this machine that a command would run. */
export interface Script {
  /** Its true name. */
  readonly path: string;
  readonly spelled: string;
  /** `session`: written by a tool of this session. `recent`: changed since it began, by whomever. `project`: older. */
  readonly origin: "session" | "recent" | "project";
  /** The command that would run it. */
  readonly by: Invocation;
  /** What it would do, read like a command. Absent when it is too large, or one of too many. */
  readonly operation?: Operation;
  readonly text?: string;
  /** Where the paths it names really lead. */
  readonly targets?: Readonly<Record<string, string>>;
}

/** A work tree as it stands: all of it, what is no document, and what is code. */
export interface Digest {
  readonly tree: string;
  readonly files: string;
  readonly code: string;
}

export interface Unseen {
  readonly unseen: string;
}

/** Where a tool use works. */
export interface Workplace {
  readonly root: string;
  /** Looked up only where somebody compares it. */
  readonly digest?: Digest | Unseen;
  /** What each check there is made of, where the session meets it for the first time. */
  readonly definitions?: Definitions;
  /** Other work trees that it may change, and the one that the session began in: no `cd` leads away from that. */
  readonly beside?: readonly Workplace[];
}

/** A work tree with the checks that its project has. */
export interface CheckedTree extends Workplace {
  readonly checks: readonly Check[];
  /** What each is made of. */
  readonly definitions: Definitions;
}

/** Something refused in this session that the law would refuse again today. */
export interface StandingRefusal extends Refused {
  /** The policy that refused it objects to this very operation too. */
  readonly again: boolean;
}

/** A file in which the agent keeps its thread: that it is there, never what it says. */
export interface ContextFile {
  /** As a person would write it. */
  readonly name: string;
  /** Level-2 headings, where it is a file of entries. */
  readonly entries?: number;
  /** There may be more: it was too long to be counted. */
  readonly more?: true;
  /** To the minute, UTC. Undefined when it is there and cannot be looked at. */
  readonly modified?: string;
  /** The activity that its learnings are for. */
  readonly topic?: Topic;
}

/** How full the client last said the model's context was. */
export interface ContextUse {
  readonly percent: number;
  /** When it came to be that. */
  readonly at: number;
}

/** A file with boxes. */
export interface Plan extends Boxes {
  /** Below the work tree. */
  readonly path: string;
  readonly modified: number;
  /** The mode is held to it already, or its task names it. */
  readonly told: boolean;
  /** It lies where agents keep theirs. */
  readonly own: boolean;
}

/** The tasks that the agent keeps in its host. */
export interface HostTasks {
  readonly open: number;
  readonly done: number;
  /** There are more files than were looked at. */
  readonly more?: true;
  /** The first of those that are open, those in progress before the others. */
  readonly shown: readonly { readonly subject: string; readonly status: string }[];
  /** When one of them last changed; 0 without any. */
  readonly changedAt: number;
}

/** A session that is over, and whose mode is not. */
export interface LeftBehind {
  readonly session: string;
  readonly modes: readonly ModeName[];
}

/** What stands in a file now. Without a text it is there, and is no file, or one that nobody could read whole. */
export interface StandingText {
  readonly text?: string;
}

export interface Facts {
  readonly now: number;
  readonly settings: Settings;
  /** What is wrong with the settings files. */
  readonly settingsProblems: readonly SettingsProblem[];
  readonly session: Session;
  readonly caller: Caller;
  /** The process that speaks to us has cut itself loose from its parents: an agent's script may have left it behind. */
  readonly castaway: boolean;
  readonly places: Places;
  /** For each path an operation names: where it really leads, through links and missing parts. */
  readonly targets: Readonly<Record<string, string>>;
  /** For each path that a command would change, and for the home and the directory it stands in: see `reached.ts`. */
  readonly reached: Readonly<Record<string, string>>;
  /** For each path an operation would write or delete: whether something of the project's work trees is there. */
  readonly standing: Readonly<Record<string, boolean>>;
  /** By path, of the files that an operation would change or copy; left out where nothing is there. */
  readonly standingText: Readonly<Record<string, StandingText | undefined>>;
  readonly hostSettings: readonly SettingsFile[];
  readonly gatehouse: Gatehouse;
  readonly leave: LeaveInForce;
  /** Of the actor whose event this is. Null: the host named none. */
  readonly transcript: Transcript | null;
  /** By subagent, of those whose transcript went on after it was read: the host writes the last lines late. */
  readonly lateTranscripts: Readonly<Record<string, Transcript>>;
  /** What commands printed about checks since the last change of code. Null but in mode qa, at Stop, where no check is known. */
  readonly toldResults: Told | null;
  readonly canary: Canary;
  /** By path: where a tool use stands, and what it would change. Left out where no branch is checked out. */
  readonly branches: Readonly<Record<string, CheckedOut>>;
  readonly protectedFiles: readonly ProtectedFiles[];
  /** Which the project has, where something would be staged or committed. */
  readonly linters: readonly Linter[];
  /** By the name of the site: where this very tool use would merge. */
  readonly staged: Readonly<Record<string, Staged>>;
  /** What the host's settings files had in earlier sessions of this project. */
  readonly registration: Registration;
  readonly scripts: readonly Script[];
  /** Names of the skills that this session can take up; at a gate only looked for where a rule asks for one. */
  readonly skills: readonly string[];
  /** What a person has said yes to when asked, by the verdict that asked. */
  readonly suggestions: Readonly<Record<string, Suggestion>>;
  /** What was earned, by domain; who reads it says at which time. */
  readonly trust: Ledger;
  readonly stance: StanceInForce;
  /** What the person's own classifier said of this prompt. Null: there is none, or it said nothing that we know. */
  readonly classified: Activity | null;
  /** The same of agents. */
  readonly agents: readonly string[];
  readonly workplace: Workplace;
  /** When a reviewer ends: digest of what it has judged, documents left out. Empty otherwise. */
  readonly reviewedFiles: string;
  /** The checks that this very tool use would run. */
  readonly checkRuns: readonly BegunCheck[];
  /** Of a session that begins, where it stands; of one that ends its turn, whatever it may have changed. */
  readonly checkedTrees: readonly CheckedTree[];
  /** What each check was made of when a session last began here, by work tree. */
  readonly knownChecks: Readonly<Record<string, Definitions>>;
  /** How checks went that a person has run. */
  readonly personChecks: CheckHistories;
  /** Looked for only where `context.guide` is on. */
  readonly contextFiles: readonly ContextFile[];
  /** Where a session is in a mode, or its conversation is made shorter: the plans of the work tree, most likely first. */
  readonly plans: readonly Plan[];
  readonly hostTasks: HostTasks;
  /** Of a session that is taken up: others whose client is gone, that are in a mode, and that it goes on with. */
  readonly orphans: readonly string[];
  /** The session's own, with those of the sessions that it goes on with. */
  readonly modesTakenUp: Modes;
  /** Of a session that begins: the newest other one that is over and still in a mode, if nobody was told of it. */
  readonly leftBehind: LeftBehind | null;
  /** Of a session that is taken up: what it has left for itself and has not been told yet. */
  readonly handover: Handover | null;
  /** Modes that wait for a session. */
  readonly waitingModes: Modes;
  /** At a prompt: how those begin that the client will send by itself, by the file in which it keeps them. */
  readonly scheduled: readonly string[];
  /** At the end of a turn: an alarm comes within the hour, by the times that the host tells. */
  readonly wokenSoon: boolean;
  /** Null: nobody has told us, because the client has no status line of ours. */
  readonly contextUse: ContextUse | null;
  /** Kept by the session; `decide` leaves those whose cause still stands. */
  readonly refused: readonly StandingRefusal[];
}

export type FactName = keyof Facts;

/** A fact that could not be had. Never an empty value in disguise. */
export interface Unknown {
  readonly unknown: string;
}

export type Gathered = { readonly [K in FactName]?: Facts[K] | Unknown };

/** Thrown by reading a fact that could not be had; `judge` turns it into what our own failure means. */
export class UnknownFact extends Error {}

/** The facts a policy named. Reading one that is not known throws; not reading it costs nothing. */
export function openFacts<F extends FactName>(gathered: Gathered, needs: readonly F[]): Pick<Facts, F> {
  const known = opened.get(gathered) ?? open(gathered);
  const missing = needs.filter((name) => !(name in known));
  if (missing.length === 0) return known as Pick<Facts, F>;
  const failures = missing.map((name) => [name, failing(`the fact "${name}" was not gathered`)]);
  return Object.create(known, Object.fromEntries(failures)) as Pick<Facts, F>;
}

/** Once for all policies of an event: what is known as it is, what is not fails whoever looks. */
const opened = new WeakMap<Gathered, object>();

function open(gathered: Gathered): object {
  const facts: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(gathered)) {
    if (value === undefined) continue;
    if (!isUnknown(value)) facts[name] = value;
    else Object.defineProperty(facts, name, failing(`the fact "${name}" is not known: ${value.unknown}`));
  }
  opened.set(gathered, facts);
  return facts;
}

function failing(why: string): PropertyDescriptor {
  return {
    enumerable: true,
    get() {
      throw new UnknownFact(why);
    },
  };
}

export function isUnknown(value: unknown): value is Unknown {
  return typeof value === "object" && value !== null && "unknown" in value;
}
