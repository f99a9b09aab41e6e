/** All settings with their defaults. Their rules are in `setting-table.ts`. */

import type { CheckName } from "../check-names.ts";
import type { RoleSettings } from "../roles/names.ts";
import type { Stance } from "../stance.ts";
import { defaultRates, type Rates } from "../trust.ts";
import type { EvidenceRule } from "./evidence-rules.ts";
import type { OwnWord } from "./own-words.ts";

export interface Settings {
  /** False: this project has opted out, and Sekisho does nothing. */
  readonly enabled: boolean;
  readonly language: "auto" | "en" | "ja";
  readonly ask: {
    /**
     * Answer to a question when no person is there: refuse it, leave it to the host, or let it pass if it is only about
     * trust and refuse it otherwise.
     */
    readonly headless: "trust" | "ask" | "deny";
  };
  readonly audit: {
    readonly retention_days: number;
    readonly max_megabytes: number;
  };
  /** How far the agent may change protected files. "user" is a synonym of strict. */
  readonly security: "strict" | "user" | "trusted" | "admin" | "developer";
  readonly protect: {
    /** Files that are protected without a list: the lists alone, or also those that the playbook framework protects. */
    readonly minimum: "lists" | "framework";
  };
  readonly branch: {
    /** Names or patterns of the branches that `no-main-branch-edit` protects. */
    readonly protect: readonly string[];
  };
  readonly publish: {
    /** For pushed branches and pull requests. */
    readonly share: "off" | "ask" | "deny";
    /** For pushes to one of `branches`, or to the default branch of the repository. */
    readonly protected: "off" | "ask" | "deny";
    /** Names or patterns. */
    readonly branches: readonly string[];
    /** For packages, images, releases and tags, which become public at once. */
    readonly release: "off" | "ask" | "deny";
  };
  readonly lint: {
    /** Reaction to a commit of files that no linter has checked. */
    readonly before_commit: "off" | "warn" | "ask";
    /** Run the project's linters over changed files before `git add` and `git commit`, and tell what they find. */
    readonly run: boolean;
  };
  /** Skills that must be invoked before such files are written; empty: none. */
  readonly rules: {
    readonly code_skill: string;
    readonly document_skill: string;
    readonly writing_skill: string;
    /** Reaction to changing a file that the session has not read, with any tool. */
    readonly read_before_edit: "off" | "warn" | "ask" | "deny";
  };
  readonly gates: {
    /** Additional file extensions that count as code. */
    readonly code_extensions: readonly string[];
    /** A person's own rules, in addition to the built-in ones. */
    readonly rules: readonly EvidenceRule[];
  };
  readonly quality: {
    /** Reaction to weakening tests or editing generated files. */
    readonly tests: "off" | "ask" | "deny";
  };
  readonly secrets: {
    /** Reaction to showing an env file to the model. */
    readonly env_files: "ask" | "deny" | "pass";
    /** Additional places of key material: a path, or a name with `*`. */
    readonly places: readonly string[];
    /** Places that only look like key material. */
    readonly exempt: readonly string[];
  };
  readonly format: {
    /** Run the project's formatter on a file after an edit. */
    readonly enabled: boolean;
    /** By file extension, in place of the project's formatter: `py=ruff format {file}`. */
    readonly commands: readonly string[];
  };
  readonly undo: {
    readonly retention_days: number;
    readonly max_megabytes: number;
  };
  /** How trust is earned and lost. `approve`: Sekisho answers the host's permission prompt where trust was earned. */
  readonly trust: Rates & { readonly approve: boolean };
  /** How strongly risk and complexity count against trust. */
  readonly risk: { readonly lambda1: number; readonly lambda2: number };
  readonly autonomy: {
    /** Above this value no question is asked. */
    readonly auto_approve_threshold: number;
    /** Below this value the person is asked. */
    readonly human_required_threshold: number;
  };
  readonly profile: {
    readonly name: "balanced" | "oath" | "praxis" | "drive" | "playbook" | "army";
    /**
     * Scope of the questions below the threshold: everything in a gated domain, or only effects beyond the project that
     * can't be undone and lines that can't be read.
     */
    readonly trust_gate: "risky" | "domain";
    readonly trust_gate_threshold: number;
    /** Decides about git remotes in the building stance: by the `publish` settings, or always deny. */
    readonly remote: "publish" | "deny";
  };
  readonly plan: {
    /** On: after a session begins, the approved plan must be read before anything is changed. */
    readonly read_first: "off" | "on";
    /** On: `state.md` in the work tree shows where the work stands. */
    readonly state_file: "off" | "on";
    /** On: the work of a step is committed once a critic has passed it. */
    readonly commits: "off" | "on" | "auto";
    /** What `sekisho playbook close` may publish when a person asks for it: nothing, a pull request, or its merge too. */
    readonly publish: "off" | "pr" | "merge";
    /** When a critic must have passed the work: never, at the end of the plan, or after each step too. */
    readonly critic: "off" | "end" | "step";
    /** What must be there before work begins: approval, a reviewer's PASS too, or the whole path in its order. */
    readonly review: "off" | "reviewer" | "path";
    /** A change while a step that the current one depends on is open. */
    readonly depends: "warn" | "deny";
    /** A change of what the person approved, or of files outside a step's scope. */
    readonly scope: "ask" | "deny";
    /** Who may work on steps: the agent alone, also codex, also coderabbit. */
    readonly stack: "A" | "B" | "C";
    /** Who has a role in plans, like `worker=codex`. */
    readonly roles: readonly string[];
    /** Which changes need a plan that a person has approved: none, those that outgrow the sizes below, those of code, or all. */
    readonly required: "off" | "auto" | "code" | "all";
    /** The most files and lines of a change that needs nothing. */
    readonly free_files: number;
    readonly free_lines: number;
    /** The most files of a change that needs no plan, and of one that a short plan covers. */
    readonly s_files: number;
    readonly m_files: number;
    /** The most files of a change that tier L of a pipeline is for; beyond it is XL. */
    readonly l_files: number;
  };
  readonly activity: {
    /** Tell the agent the activity of a prompt when it changes. */
    readonly hint: boolean;
    /**
     * A person's own program that classifies prompts; empty: the built-in rules. Read only from the person's own file.
     */
    readonly command: string;
  };
  readonly stance: {
    /** The stance when no person has set one. */
    readonly default: Stance;
  };
  readonly context: {
    /** Start sessions with the guide and the list of context files, and trim those files at compaction. */
    readonly guide: boolean;
    /** Character budget at the start of a session. */
    readonly budget_chars: number;
    /** Where learnings of all projects stand; `~` is the home. Empty: where the host has them. */
    readonly global_learnings: string;
    /** Context usage in percent at which the first and the second hint are given. */
    readonly pressure_info: number;
    readonly pressure_urgent: number;
  };
  readonly modes: {
    /** Keywords in a prompt may start a mode. Commands and the word cancel always work. */
    readonly keywords: boolean;
    /** Other words in a prompt point the agent to a matching skill. */
    readonly skills: boolean;
    /** A person's own keywords, in addition to the built-in ones. */
    readonly words: readonly OwnWord[];
    /** How often a mode may refuse the end of a turn, over all turns. */
    readonly persistent_max: number;
    readonly qa_max: number;
    readonly turbo_max: number;
    /** When the agent is reminded of active modes before a tool use. */
    readonly reminder: "off" | "change" | "always";
    /** Also remind the agent of open tasks when no mode is on. */
    readonly tasks: boolean;
  };
  readonly stop: {
    /** Maximum refusals of the end of a turn between two prompts of a person, over all policies. */
    readonly ceiling: number;
    /** Maximum refusals in a row without a tool use in between. */
    readonly idle: number;
  };
  /** Agents that work together: who they are and who may write to each other. */
  readonly roles: RoleSettings;
  /** Messages between agents. */
  readonly inbox: {
    /** How often a message may refuse the end of its reader's turn before the supervisor is told. */
    readonly deliveries: number;
    /** `once`: a notification counts as read when it was delivered. `read`: when its reader has read it. */
    readonly notifications: "once" | "read";
    /** Minutes after which a request without an answer is reported to its sender. */
    readonly answer_minutes: number;
    /** Tell the supervisor when an agent's last message says that its task is finished or was broken off. */
    readonly observe: boolean;
    /** A write to a file that another running session has reserved, or has changed and not committed. */
    readonly claims: "off" | "tell" | "ask" | "deny";
    /** `once`: a teammate that goes idle while tasks or messages wait for its name is told so, once. */
    readonly teammate_idle: "off" | "once";
    /** A directory in the project with an inbox per agent as YAML, which other tools read and write. Empty: none. */
    readonly queue: string;
    /** `inbox watch` wakes an agent for new messages no more often than this. */
    readonly wake_seconds: number;
    /** `on`: a message `clear_command` of a person or the supervisor makes `inbox watch` type the host's command that forgets the conversation. */
    readonly clear: "on" | "off";
  };
  readonly model: {
    /** Set the recommended model for a subagent instead of only recording it. */
    readonly apply: boolean;
  };
  /** The evidence needed before work counts as done. */
  readonly verify: {
    /**
     * `test=npm run test:unit`: the command of a check, in place of the detected one. `lint=`: the check is not
     * required.
     */
    readonly commands: readonly string[];
    /** The checks that changed code needs, where the project has them. */
    readonly require: readonly CheckName[];
    /** `check=minutes`: how long a passed check counts. */
    readonly ttl_minutes: readonly string[];
    /**
     * Reaction to a turn that ends with changed code and without proof. `once`: refuse it once for each check that is
     * missing; checks of what was changed are enough. `block`: refuse it until every check has passed, five times at most.
     */
    readonly stop: "off" | "warn" | "once" | "block";
    /**
     * `on`: the host's shell is told to set `pipefail` for lines that run a check, so that a check behind a pipe counts by
     * its own exit code.
     */
    readonly pipes: "on" | "off";
    /** Which tasks need proof: none, those of a session that changed code, or all. */
    readonly tasks: "off" | "changed" | "all";
    /** Whether a subagent that reports possibilities instead of results is refused once. */
    readonly subagents: "off" | "on";
    /** The skill required in a project without checks; empty: none. */
    readonly skill: string;
  };
  /** Policies switched on or off. Floor policies always stay on. */
  readonly policies: Readonly<Record<string, "on" | "off">>;
}

export const defaultSettings: Settings = {
  enabled: true,
  language: "auto",
  ask: { headless: "trust" },
  audit: { retention_days: 90, max_megabytes: 512 },
  security: "strict",
  protect: { minimum: "lists" },
  branch: { protect: ["main", "master"] },
  publish: { share: "off", protected: "ask", branches: ["main", "master", "develop", "release/*"], release: "ask" },
  lint: { before_commit: "warn", run: false },
  rules: { code_skill: "", document_skill: "", writing_skill: "", read_before_edit: "off" },
  gates: { code_extensions: [], rules: [] },
  quality: { tests: "off" },
  secrets: { env_files: "ask", places: [], exempt: [] },
  format: { enabled: false, commands: [] },
  undo: { retention_days: 14, max_megabytes: 512 },
  trust: { ...defaultRates, approve: false },
  risk: { lambda1: 0.6, lambda2: 0.4 },
  autonomy: { auto_approve_threshold: 0.8, human_required_threshold: 0.4 },
  plan: {
    ...{ required: "off", free_files: 1, free_lines: 20, s_files: 3, m_files: 10, l_files: 30 },
    ...{ critic: "end", review: "off", depends: "deny", scope: "ask", stack: "A", roles: [] },
    ...{ read_first: "off", state_file: "off", commits: "off", publish: "off" },
  },
  profile: { name: "balanced", trust_gate: "risky", trust_gate_threshold: 0.8, remote: "publish" },
  activity: { hint: false, command: "" },
  stance: { default: "building" },
  context: {
    guide: false,
    budget_chars: 8000,
    global_learnings: "",
    pressure_info: 60,
    pressure_urgent: 75,
  },
  modes: {
    keywords: true,
    skills: false,
    words: [],
    persistent_max: 20,
    qa_max: 10,
    turbo_max: 30,
    reminder: "change",
    tasks: false,
  },
  stop: { ceiling: 60, idle: 3 },
  roles: { preset: "off", own: [] },
  inbox: {
    deliveries: 3,
    notifications: "once",
    answer_minutes: 60,
    observe: true,
    claims: "tell",
    teammate_idle: "off",
    queue: "",
    wake_seconds: 60,
    clear: "off",
  },
  model: { apply: false },
  verify: {
    commands: [],
    require: ["lint", "typecheck", "test"],
    ttl_minutes: [],
    stop: "once",
    pipes: "on",
    tasks: "changed",
    subagents: "off",
    skill: "",
  },
  policies: {},
};

export interface SettingsProblem {
  readonly key: string;
  readonly message: string;
  /** The file with the problem. */
  readonly file?: string;
  /** Counted from 1, where known. */
  readonly line?: number;
  /** Index of the list entry, counted from 0. */
  readonly entry?: number;
}

/** Key of a problem that concerns the whole file. */
export const WHOLE_FILE = "(file)";

/** A single line, with file and line number. */
export function problemWords({ key, message, file, line }: SettingsProblem): string {
  if (file === undefined) return `${key} ${message}`;
  const place = line === undefined ? file : `${file}, line ${line}`;
  // For an unreadable file, the parser's own message says where.
  return key === WHOLE_FILE ? `${file} ${message}` : `${key} ${message} (in ${place})`;
}

export interface CheckedSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
  /** Keys whose value differs from the default. */
  readonly custom: readonly string[];
  /** Origin of a value that is not the default: a file, or `profile NAME`. Set where the files are known. */
  readonly from?: Readonly<Record<string, string>>;
}
