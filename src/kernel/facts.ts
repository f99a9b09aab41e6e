/** All facts a policy may request. They are gathered in one pass before any decision. */

import type { Told } from "../evidence/told-results.ts";
import type { CheckedTree, Workplace } from "../evidence/tree.ts";
import type { ChangedFile } from "../playbook/diff.ts";
import type { Playbook } from "../playbook/playbook.ts";
import type { Topic } from "../reading/documents/learnings.ts";
import type { Boxes } from "../reading/documents/plan-boxes.ts";
import type { Operation } from "../reading/operation/operation.ts";
import type { ProtectedPlace, ProtectionLevel } from "../reading/operation/protected-list.ts";
import type { Invocation } from "../reading/shell/parse/reading.ts";
import type { Activity } from "../state/activity.ts";
import type { Change } from "../state/change.ts";
import type { Grant, Pause } from "../state/grants.ts";
import type { Habit, Suggestion } from "../state/habits.ts";
import type { Box } from "../state/inbox/box.ts";
import type { Request } from "../state/inbox/part.ts";
import type { MessageRecord } from "../state/inbox/records.ts";
import type { PlanVerdict, PlanWork } from "../state/plan-work.ts";
import type { Checked } from "../state/playbooks.ts";
import type { WitnessChange } from "../state/session/awaiting.ts";
import type { BegunCheck, CheckHistories, Definitions } from "../state/session/checks.ts";
import type { Cursor, NewGap, OpenUse } from "../state/session/coverage.ts";
import type { Ground, GroundChange, Installing } from "../state/session/ground.ts";
import type { Linter } from "../state/session/lint.ts";
import type { ModeName, Modes } from "../state/session/modes.ts";
import type { Refused } from "../state/session/refused.ts";
import type { HostProcess, PlanSeen, Registration, Session } from "../state/session/session.ts";
import type { Settings, SettingsProblem } from "../state/settings/settings.ts";
import type { Voided } from "../state/signed.ts";
import type { StepLimits } from "../state/step-limits.ts";
import type { TrustLedger } from "../state/trust.ts";
import type { HeardMessage } from "./event.ts";
import type { Handover } from "./handover.ts";
import type { HostTraits } from "./host-traits.ts";
import type { StanceInForce } from "./stance.ts";

/** Our own paths on this machine, which no agent may change. Absolute, with symlinks resolved. */
export interface Places {
  /** The project's root: the main work tree, or the directory the session started in. */
  readonly project: string;
  readonly home: string;
  /** The state of all projects, including the code cache. */
  readonly state: string;
  /** This project's state: the journal and its snapshots. */
  readonly journal: string;
  /** Settings files written by people, weakest first. */
  readonly settingsFiles: readonly string[];
  /** Our configuration files and directories. */
  readonly config: readonly string[];
  /** The program itself. */
  readonly installed: readonly string[];
  /** The host's settings files, where the hooks are registered. */
  readonly hostSettings: readonly string[];
  /** Where the host records its sessions: transcripts, the registry of running ones, what its shells begin with. */
  readonly hostRecords: readonly string[];
}

/** The calling process, and whether it runs inside a host that already has a session. */
export interface Caller {
  readonly process: HostProcess;
  /** The host names its own process, and the caller is that process. */
  readonly isHost: boolean;
  readonly insideAgent: boolean;
  /** The session is bound to another process that is still alive. */
  readonly heldElsewhere: boolean;
}

/** Whether a settings file of the host has our hooks, and which keys would disable them. */
export interface Arming {
  /** The host could read the file; a missing file counts as readable and empty. */
  readonly readable: boolean;
  /** Events whose hooks are registered exactly as we would write them. */
  readonly hooks: readonly string[];
  /** Keys that would disable hooks or get between the host and us. */
  readonly disarms: readonly string[];
  /** Keys of unknown shape; the host might reject the file because of them. */
  readonly strange: readonly string[];
  /** Settings by which the host runs code on its own, except our hooks. */
  readonly runs: readonly string[];
}

/** A settings file of the host: now, and after the operation. */
export interface SettingsFile {
  readonly path: string;
  readonly now: Arming;
  /** Undefined when unknown, for example for an edit whose old text does not occur in the file. */
  readonly after: Arming | undefined;
}

/** The daemon of the fast lane, as an event found it and left it. */
export interface Gatehouse {
  /** `none`: no hook uses it. `stranger`: another program answers on its port. */
  readonly found: "none" | "up" | "down" | "stranger" | "other-version";
  /** `plain`: the hooks were moved to the plain lane, because the daemon could not be started. */
  readonly now: "none" | "up" | "down" | "plain";
  /** The reason, if the other fields do not show it. */
  readonly detail: string;
  /** The result of the canary sent to the daemon, if one was sent. */
  readonly canary?: Canary;
}

/** `as-named`: also where the hooks name no key. */
export type KeyFileState = "as-named" | "other" | "gone";

/** The pause, grants and habits in force now. */
export interface LeaveInForce {
  readonly pause?: Pause;
  readonly grants: readonly (Grant & { readonly id: string })[];
  /** Ask rulings that a person has answered for some time ahead. */
  readonly habits?: readonly (Habit & { readonly id: string })[];
  /** The shape of this tool use; computed only if there are habits. */
  readonly shape?: string;
  readonly cwd?: string;
  /** The digest of this tool use; computed only if there are grants. */
  readonly effect?: string;
}

/** The tool uses, results and prompts in one line of the host's transcript. */
export interface TranscriptLine {
  readonly uses: readonly TranscriptUse[];
  readonly results: readonly TranscriptResult[];
  readonly prompts?: readonly TranscriptPrompt[];
  /** When the host had run all hooks for the end of a turn, whatever they said. */
  readonly ends?: readonly number[];
  /** The line belongs to a subagent, whichever transcript contains it. */
  readonly aside: boolean;
}

export interface TranscriptUse extends Omit<OpenUse, "agent"> {
  /** The time by the host's clock. */
  readonly at: number;
  /** The command line, if it is a shell's. */
  readonly command?: string;
}

/** Words that the host took for a prompt, or that an agent said. */
export interface TranscriptPrompt {
  readonly words: string;
  readonly at: number;
  /**
   * `person`: typed. `program`: given by the program that runs the host, or by a host that does not say. `task`: a
   * background task ended. `other`: another session, a schedule, the host itself. `said`: the agent's own words.
   * `break`: the turn was broken off.
   */
  readonly from: "person" | "program" | "peer" | "task" | "other" | "said" | "break";
  /** The message of another agent that it is. */
  readonly heard?: HeardMessage;
}

export interface TranscriptResult {
  readonly id: string;
  /** True if the call ran, successfully or not. False if it was rejected or never was a call. */
  readonly ran: boolean;
  readonly failed?: true;
}

/** The part of a transcript that was added since the last read. */
export interface Transcript extends Pick<TranscriptLine, "uses" | "results" | "prompts" | "ends"> {
  readonly cursor: Omit<Cursor, "at">;
  /** True if there is a gap to the part read before, or a line was too long. */
  readonly broken: boolean;
}

/** The host's own record as a witness of what its hooks report. */
export interface Witness {
  /** False where the host has none, or the connection itself has proven that the host speaks. */
  readonly isNeeded: boolean;
  /** False if the session has no transcript, so that nothing can be confirmed. */
  readonly isThere: boolean;
  /** A Stop that comes while a call of the main agent is still running. */
  readonly isDoubtful?: true;
  /** The subagent's transcript already holds the message that this SubagentStop reports. */
  readonly isSaid?: true;
  /** What this reading settles; absent when it settles nothing. */
  readonly settled?: WitnessChange;
  readonly gaps: readonly NewGap[];
  /** Changes that write into the journal again what a forged record had loosened. */
  readonly repairs?: readonly Change[];
  /** Modes whose end is recorded, although the host has reported no prompt since. */
  readonly again?: readonly string[];
}

/** A command that must be refused, sent to the gate like an agent's. */
export interface Canary {
  /** True only if a policy refused it; a gate that fails closed proves nothing. */
  readonly denied: boolean;
  /** The policies that refused it, or what happened instead. */
  readonly detail: string;
}

/** The work tree that contains a path, and its checked-out branch. */
export interface CheckedOut {
  readonly root: string;
  readonly branch: string;
}

/** An entry of the list of protected files, and the places it applies to. */
export interface ProtectedFiles {
  readonly level: ProtectionLevel;
  readonly pattern: string;
  /** Below the project's root and those of its other work trees that the operation touches. */
  readonly places: readonly ProtectedPlace[];
  /** If the pattern is a path: the path itself and its real target. */
  readonly paths: readonly string[];
  /** False if it is a path that does not exist. */
  readonly isThere: boolean;
}

/** Staged changes of a repository compared with its newest commit, or why they are unknown. */
export type Staged =
  | {
      readonly count: number;
      /** The first few. */
      readonly names: readonly string[];
      /** There are more than `count`, because the list was too long. */
      readonly more: boolean;
    }
  | { readonly unseen: string };

/** A local file that a command would run. */
export interface Script {
  /** The real path. */
  readonly path: string;
  readonly spelled: string;
  /**
   * `session`: written by a tool of this session. `recent`: changed since the session began, by any process. `project`:
   * older.
   */
  readonly origin: "session" | "recent" | "project";
  /** The command that would run it. */
  readonly by: Invocation;
  /** `numbers`: it is no script; a command takes the numbers of processes from it. */
  readonly holds?: "numbers";
  /** Its content parsed like a command. Absent when it is too large or there are too many. */
  readonly operation?: Operation;
  readonly text?: string;
  /** The real targets of the paths it names. */
  readonly targets?: Readonly<Record<string, string>>;
}

/** Who reads what is typed into a pane: a host, certainly no host, or nobody can tell. */
export type PaneUse = "host" | "free" | "unknown";

/** A refusal of this session that would be repeated today. */
export interface StandingRefusal extends Refused {
  /** The same policy also objects to the current operation. */
  readonly again: boolean;
}

/** A file with the agent's notes: only its existence, never its content. */
export interface ContextFile {
  /** The name as a person would write it. */
  readonly name: string;
  /** The number of level-2 headings, for a file of entries. */
  readonly entries?: number;
  /** There may be more entries, because the file was too long to count. */
  readonly more?: true;
  /** UTC, to the minute. Undefined when the file exists but cannot be read. */
  readonly modified?: string;
  /** The topic of the learnings in the file. */
  readonly topic?: Topic;
}

/** How full the model's context is, as last reported by the host. */
export interface ContextUse {
  readonly percent: number;
  /** When that value was first reported. */
  readonly at: number;
}

/** A plan file with checkboxes. */
export interface Plan extends Boxes {
  /** Relative to the work tree. */
  readonly path: string;
  readonly modified: number;
  /** The mode is already bound to this plan, or its task names it. */
  readonly told: boolean;
  /** The plan is in a directory where agents keep plans. */
  readonly own: boolean;
}

/** The agent's task list in the host. */
export interface HostTasks {
  readonly open: number;
  readonly done: number;
  /** There are more files than were read. */
  readonly more?: true;
  /** The first open tasks, those in progress first. */
  readonly shown: readonly { readonly subject: string; readonly status: string }[];
  /** The time of the last change; 0 without tasks. */
  readonly changedAt: number;
}

export const NO_TASKS: HostTasks = { open: 0, done: 0, shown: [], changedAt: 0 };

/** An ended session whose mode is still on. */
export interface LeftBehind {
  readonly session: string;
  readonly modes: readonly ModeName[];
}

/** The current content of a path. Without `text` it exists, but is not a file or could not be read completely. */
export interface StandingText {
  readonly text?: string;
}

/** What a check stands on besides the project's files, see `state/session/ground.ts`. Empty for most events. */
export interface GroundFound {
  /** At the start of a session. */
  readonly lay?: Ground;
  /** Seen for the first time, and in order. */
  readonly add?: Omit<GroundChange & { readonly do: "add" }, "record" | "do">;
  /** The first thing that is not as it was when the session began. */
  readonly changed?: { readonly name: string; readonly installed: boolean };
  /** The state of the directories in the search path. */
  readonly searched?: string;
  /** Before a package manager runs: the programs as they are. After it: as they count from now on, if they changed. */
  readonly install?: Installing;
}

/** The file by which a hook can set up every shell of a session. Empty if the host offers none to this event. */
export interface ShellSetupFound {
  readonly file?: string;
  /** What we would write. */
  readonly text?: string;
  /** The files that we wrote at earlier starts of the session. */
  readonly own?: readonly { readonly path: string; readonly isSame: boolean }[];
  /** Nothing is in the file yet. */
  readonly isFree?: boolean;
  /** The host would run it in a shell that understands it. */
  readonly works?: boolean;
}

/** The plan of a work tree, compared with what a person has approved. */
export interface PlanFound {
  readonly root: string;
  /** The commit that is checked out, where this event may approve a plan. */
  readonly base?: string;
  /** The plan that is worked on. `broken`: it cannot be read as a plan. */
  readonly active?: {
    readonly path: string;
    readonly standing: "approved" | "changed" | "gone" | "broken";
    /** The steps that are not as they were approved; `head` for what stands before them. */
    readonly changed: readonly string[];
    readonly fault?: { readonly kind: string; readonly line: number };
    /** As it is now, where it can be read, and where something depends on more than its standing. */
    readonly playbook?: Playbook;
    readonly work?: PlanWork;
    readonly checked?: Checked;
    readonly review?: PlanVerdict;
    readonly approvedAt?: number;
    /** Of the approved words. */
    readonly digest?: string;
    /** It covers a change of any size. */
    readonly long?: true;
    /** Of the step that is worked on, at a tool use. */
    readonly limits?: StepLimits;
    /** To be remembered, so that the file need not be read again. */
    readonly seen?: PlanSeen;
  };
  /** When the file of the judge that this event is about was last changed, if it is the project's own. */
  readonly judgeAt?: number;
  /** The plan that a reviewer speaks of at the end of its work. */
  readonly reviewed?: { readonly path: string; readonly playbook: Playbook };
  /** Our own playbooks that nobody has approved, by name. */
  readonly drafts: readonly string[];
  /** The playbooks that this event approves, as they are now. */
  readonly named: readonly {
    readonly path: string;
    readonly digest: string;
    readonly parts: readonly string[];
    readonly base?: string;
    readonly long?: true;
  }[];
}

/** What a critic must have seen: the files that changed since the person approved the plan, generated ones left out. */
export interface Covered {
  readonly files: readonly CoveredFile[];
  /** False where git cannot tell, as outside a repository. */
  readonly isKnown: boolean;
  /** There is a commit to compare with, and git cannot do it: then nobody knows what must be seen. */
  readonly isLost?: true;
}

export interface CoveredFile {
  /** Relative to the work tree. */
  readonly path: string;
  /** Of the path with the content. */
  readonly mark: string;
  /** A deleted file changed too, but nobody can read it. */
  readonly isThere: boolean;
  /** A critic has passed it as it is. */
  readonly isJudged: boolean;
}

/** What is checked out in the work tree of an event; the commit is empty where git's files do not say it plainly. */
export interface HeadFound {
  readonly root: string;
  readonly commit: string;
}

/** The change of a work tree since the person's last request, as git shows it. */
export interface GrownFound extends HeadFound {
  /** Absent where git could not tell. */
  readonly changed?: readonly ChangedFile[];
  /** Paths of the operation that are directories. */
  readonly folders: readonly string[];
}

/** A commit beside the plan that is worked on. */
export interface PlanCommit {
  readonly path: string;
  /** The branch that the plan was begun on, or names. */
  readonly branch?: string;
  /** The branch that the commit would be made on; absent on a detached HEAD. */
  readonly current?: string;
  /** `path step`: steps of changed plans that call themselves done, while no record does. */
  readonly claims: readonly string[];
}

/** How one of the project's own guards judged a tool use. */
export interface GuardFound {
  readonly name: string;
  /** `missing` and `changed`: the file is not the one that a person trusts, so it was not run. */
  readonly outcome: "passed" | "refused" | "missing" | "changed" | "failed";
  /** What it said, or why it failed. */
  readonly reason: string;
}

/** The name under which a new session works with other agents, as its surroundings give it. */
export interface IdentityFound {
  readonly name?: string;
  /** A name that was given and cannot be used. */
  readonly refused?: string;
  /** The running session that has the name already. */
  readonly heldBy?: string;
  /** An agent whose name it can be mistaken for. */
  readonly like?: string;
  /** The agent that started this session in its shell, and to which an agent of that name doesn't report. */
  readonly below?: string;
}

/** What waits for the agent of a session. */
export interface InboxFound {
  readonly actor: string;
  readonly box: Box;
  /** Its own requests that nobody has answered, by request id. */
  readonly asked: Readonly<Record<string, Request>>;
  /** The tasks that it works on. */
  readonly working: readonly string[];
  /** Tasks of it or by it whose session has ended while it worked on them. */
  readonly freed?: readonly FreedTask[];
  readonly queue?: QueueFound;
}

export interface FreedTask {
  readonly id: string;
  readonly attempt: number;
  readonly title: string;
  readonly by: string;
  readonly holder: string;
}

/** What waits for a teammate of the session. */
export interface MateFound {
  readonly box: Box;
  readonly tasks: readonly { readonly id: string; readonly title: string }[];
}

/** Another running session works on a file: it has reserved it, or has changed it and not committed it. */
export interface ClaimFound {
  readonly path: string;
  readonly session: string;
  readonly name: string;
  readonly at: number;
  /** The pattern that was reserved. */
  readonly glob?: string;
}

/** A running session of the host, by the host's own registry. */
export interface PeerFound {
  readonly session: string;
  readonly name: string;
  /** Undefined where the host does not say. */
  readonly isIdle?: boolean;
  /** It is a session of this project, so its hooks report what arrives there. */
  readonly isHere: boolean;
}

/** What became of messages that this session sent through the host. */
export interface ReceiptsFound {
  /** They arrived, or nobody here can see whether they do. */
  readonly settled: readonly string[];
  readonly lost: readonly LostMessage[];
}

export interface LostMessage extends Pick<MessageRecord, "body" | "blob"> {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  /** `gone`: the reader's process has ended. `unread`: the reader is idle and has not got it. */
  readonly why: "gone" | "unread";
  /** The reader's name among the agents of this project, which has an inbox. */
  readonly actor?: string;
}

/** An inbox in a file of the project, as other tools write it. */
export interface QueueFound {
  /** Unread entries that we have not recorded yet. */
  readonly fresh: readonly QueuedEntry[];
  /** Ids of recorded entries that the file says are read. */
  readonly read: readonly string[];
  /** Files that cannot be read as YAML. */
  readonly broken: readonly string[];
}

export interface QueuedEntry {
  readonly id: string;
  readonly file: string;
  readonly from: string;
  readonly type: string;
  readonly subject: string;
  readonly note: boolean;
}

/** The value of a fact that is looked up on a condition (`needsIf`), when no policy had the condition. */
export const NOT_ASKED = Symbol("not asked");

export type Asked<T> = T | typeof NOT_ASKED;

/** `otherwise` says what the policy goes by when it did not ask. */
export function askedOr<T>(fact: Asked<T>, otherwise: T): T {
  return fact === NOT_ASKED ? otherwise : (fact as T);
}

/** What a `git push` meets in its repository. */
export interface PushSite {
  /** The branch that is checked out. */
  readonly current?: string;
  /** The remote branch that a push without a name updates. */
  readonly target?: string;
  /** The default branch of the remote. */
  readonly main?: string;
  /** The remote is a repository in a temporary directory. */
  readonly scratch?: true;
}

/** What git says a command would throw away now. */
export interface Discarded {
  /** Tracked files with changes that are in no commit, and the lines of these changes. */
  readonly files: number;
  readonly lines: number;
  readonly untracked: number;
  /** Commits that no other branch, tag or remote has. */
  readonly commits: number;
  readonly stashes: number;
  /** The first files. */
  readonly names: readonly string[];
  /** The repository is in a temporary directory and isn't the project's. */
  readonly scratch?: true;
}

export interface Facts {
  readonly now: number;
  readonly settings: Settings;
  /** As the files say; a running session may have stricter ones. */
  readonly writtenSettings: Settings;
  /** Problems in the settings files. */
  readonly settingsProblems: readonly SettingsProblem[];
  readonly session: Session;
  readonly caller: Caller;
  /** The caller has detached from its parents; an agent's script may have started it. */
  readonly castaway: boolean;
  /** An agent started the caller, or nobody can tell. */
  readonly insideAgent: boolean;
  readonly places: Places;
  readonly host: HostTraits;
  /** For each path of an operation: its real target, through links and missing parts. */
  readonly targets: Readonly<Record<string, string>>;
  /**
   * For each path that a command would change, and for the home and the working directory: the real path, see
   * `reached.ts`.
   */
  readonly reached: Readonly<Record<string, string>>;
  /** By `siteName`, where a command pushes; absent where git could not tell. */
  readonly pushes: Readonly<Record<string, PushSite>>;
  /** For git commands that throw work away, by `discardName`; absent where nobody can tell. */
  readonly discarded: Readonly<Record<string, Discarded>>;
  /** For each path an operation would write or delete: whether it exists inside the project's work trees. */
  readonly standing: Readonly<Record<string, boolean>>;
  /** Files that this command would destroy and that `undo` keeps no copy of, because they hold secrets. */
  readonly unkept: readonly string[];
  /** By path, for files that an operation would change or copy; omitted if nothing exists there. */
  readonly standingText: Readonly<Record<string, StandingText | undefined>>;
  readonly hostSettings: readonly SettingsFile[];
  readonly gatehouse: Gatehouse;
  readonly leave: LeaveInForce;
  /** The transcript of the acting agent. Null: the host named none. */
  readonly transcript: Transcript | null;
  /** What the host's transcript says about changes that wait for it. */
  readonly witness: Witness;
  /** By subagent, for transcripts that grew after they were read, because the host writes the last lines late. */
  readonly lateTranscripts: Readonly<Record<string, Transcript>>;
  /** Results of checks that commands printed since the last change of code. Null if the project has a required check. */
  readonly toldResults: Asked<Told | null>;
  readonly canary: Canary;
  /** By path, for the directory of a tool use and the paths it would change. Omitted if no branch is checked out. */
  readonly branches: Readonly<Record<string, CheckedOut>>;
  readonly protectedFiles: readonly ProtectedFiles[];
  /** The linters that the project has. */
  readonly linters: Asked<readonly Linter[]>;
  /** By repository, where this tool use would merge. */
  readonly staged: Readonly<Record<string, Staged>>;
  /** The hooks seen in the host's settings files in earlier sessions of this project. */
  readonly registration: Registration;
  /** Newest last: actions in a person's name that did not count, because their signature was missing or wrong. */
  readonly voided: readonly Voided[];
  /** The file with the person's key, compared with the key that the hooks name. */
  readonly keyFile: KeyFileState;
  readonly scripts: readonly Script[];
  /** By pane, for the panes of a terminal that this tool use would type into. */
  readonly panes: Readonly<Record<string, PaneUse>>;
  /** Names of the skills that this session can take up. */
  readonly skills: Asked<readonly string[]>;
  /** Prompts that a person answered with yes, by the verdict that asked. */
  readonly suggestions: Readonly<Record<string, Suggestion>>;
  /** The trust ledger by domain; the reader supplies the time. */
  readonly trust: TrustLedger;
  readonly stance: StanceInForce;
  /** The answer of the person's own classifier for this prompt. Null: none, or not a known activity. */
  readonly classified: Activity | null;
  /** The agents available to this session. */
  readonly agents: Asked<readonly string[]>;
  readonly workplace: Workplace;
  /** Digest of the files that a reviewer has judged, without documents. Empty when it could not be taken. */
  readonly reviewedFiles: Asked<string>;
  readonly ground: GroundFound;
  readonly shellSetup: ShellSetupFound;
  /** The checks that this tool use would run. */
  readonly checkRuns: readonly BegunCheck[];
  /** At SessionStart: the current work tree. At Stop: all work trees that the session may have changed. */
  readonly checkedTrees: readonly CheckedTree[];
  /** By work tree: the definitions of the checks when a session last began here. */
  readonly knownChecks: Readonly<Record<string, Definitions>>;
  /** The results of checks that a person ran. */
  readonly personChecks: CheckHistories;
  readonly contextFiles: Asked<readonly ContextFile[]>;
  /** The plans of the work tree, most likely first. */
  readonly plans: Asked<readonly Plan[]>;
  readonly plan: Asked<PlanFound>;
  /** The plan that is approved and worked on, and whether this tool use has shown it. Null where there is none. */
  readonly planFile: Asked<{ readonly path: string; readonly isShown: boolean } | null>;
  /** The state file as it should be; null where it is so already, or is somebody's own. */
  readonly stateFile: Asked<{ readonly root: string; readonly text: string } | null>;
  /** Files of the work tree that are in no commit, the first ones. */
  readonly uncommitted: Asked<readonly string[]>;
  /** Null where nothing is committed, or no plan is worked on. */
  readonly planCommit: Asked<PlanCommit | null>;
  /** The project's own guards that judge this tool use, up to the first that does not let it pass. */
  readonly guards: readonly GuardFound[];
  readonly covered: Asked<Covered>;
  readonly head: Asked<HeadFound>;
  readonly grown: Asked<GrownFound>;
  readonly hostTasks: Asked<HostTasks>;
  readonly identity: Asked<IdentityFound>;
  /** Null: the session has no name among other agents. */
  readonly inbox: Asked<InboxFound | null>;
  readonly mate: Asked<MateFound>;
  /** Files of the operation that another running session works on. */
  readonly claimed: Asked<readonly ClaimFound[]>;
  readonly peers: Asked<readonly PeerFound[]>;
  readonly receipts: Asked<ReceiptsFound>;
  /** For a resumed session: other sessions with a mode and an exited host, which it continues. */
  readonly orphans: readonly string[];
  /** The session's own modes plus those of the sessions it continues. */
  readonly modesTakenUp: Modes;
  /** At SessionStart: the newest other session that ended with a mode on, unless already reported. */
  readonly leftBehind: LeftBehind | null;
  /** The session's handover, unless already shown. */
  readonly handover: Asked<Handover | null>;
  /** Modes that wait for a session. */
  readonly waitingModes: Modes;
  /** The beginnings of the prompts that the host will send on a schedule, from the host's file. */
  readonly scheduled: Asked<readonly string[]>;
  /** At Stop: whether a scheduled prompt comes within the hour. */
  readonly wokenSoon: boolean;
  /** Null: unknown, because our status line is not installed. */
  readonly contextUse: ContextUse | null;
  /** From the session; `decide` keeps only the refusals that would be repeated. */
  readonly refused: readonly StandingRefusal[];
}

export type FactName = keyof Facts;

/** A fact that could not be determined. Never replaced by an empty value. */
export interface Unknown {
  readonly unknown: string;
}

export type Gathered = { readonly [K in FactName]?: Facts[K] | Unknown };

/** Thrown when a policy reads an unknown fact; `judge` handles it as an internal fault. */
export class UnknownFact extends Error {}

/** The facts a policy requested. Reading an unknown one throws; not reading it is fine. */
export function openFacts<F extends FactName>(gathered: Gathered, needs: readonly F[]): Pick<Facts, F> {
  const known = opened.get(gathered) ?? open(gathered);
  const missing = needs.filter((name) => !(name in known));
  if (missing.length === 0) return known as Pick<Facts, F>;
  const failures = missing.map((name) => [name, failing(`the fact "${name}" was not gathered`)]);
  return Object.create(known, Object.fromEntries(failures)) as Pick<Facts, F>;
}

/** Cached for all policies of an event: known facts as values, unknown ones as throwing getters. */
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
