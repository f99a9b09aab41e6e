/** Every setting and its default. What each may be stands in `setting-table.ts`. */

import type { CheckName } from "./check-names.ts";
import type { EvidenceRule } from "./evidence-rules.ts";
import type { OwnWord } from "./own-words.ts";
import type { Stance } from "./stance.ts";
import { defaultRates, type Rates } from "./trust.ts";

export interface Settings {
  /** False: this project has opted out, and everything passes unseen. */
  readonly enabled: boolean;
  readonly language: "auto" | "en" | "ja";
  readonly ask: {
    /** What a question becomes when nobody is there to answer it. */
    readonly headless: "deny" | "ask";
  };
  readonly audit: {
    readonly retention_days: number;
    readonly max_megabytes: number;
  };
  /** How much the person trusts the agent with the protected files. "user" is another word for strict. */
  readonly security: "strict" | "user" | "trusted" | "admin" | "developer";
  readonly branch: {
    /** Names or patterns of the branches that `no-main-branch-edit` keeps. */
    readonly protect: readonly string[];
  };
  readonly publish: {
    /** Pushed branches and pull requests. */
    readonly share: "off" | "ask" | "deny";
    /** Packages, images, releases and tags: what strangers can have a minute later. */
    readonly release: "off" | "ask" | "deny";
  };
  readonly lint: {
    /** What a commit of files that no linter has seen meets. */
    readonly before_commit: "off" | "warn" | "ask";
  };
  /** Skills that must have been taken up before such files are written; empty: nobody asks for one. */
  readonly rules: {
    readonly code_skill: string;
    readonly document_skill: string;
    readonly writing_skill: string;
    /** What changing a file meets, by whatever tool, that was not read in the session. */
    readonly read_before_edit: "off" | "warn" | "ask" | "deny";
  };
  readonly gates: {
    /** Further endings of files that count as code. */
    readonly code_extensions: readonly string[];
    /** A person's own rules. They come to the built-in ones and take nothing away. */
    readonly rules: readonly EvidenceRule[];
  };
  readonly quality: {
    /** What a change meets that takes something away from the tests, or rewrites what a program made. */
    readonly tests: "off" | "ask" | "deny";
  };
  readonly secrets: {
    /** What showing an env file to the model comes to. */
    readonly env_files: "ask" | "deny" | "pass";
    /** Further places of key material; a path, or a name with `*`. */
    readonly places: readonly string[];
    /** Places that only look like it. */
    readonly exempt: readonly string[];
  };
  readonly format: {
    /** After an edit the project's own formatter is run over the file. */
    readonly enabled: boolean;
    /** By a file's ending, in place of what the project has: `py=ruff format {file}`. */
    readonly commands: readonly string[];
  };
  readonly undo: {
    readonly retention_days: number;
    readonly max_megabytes: number;
  };
  /** How trust is earned and lost; `approve`: what has earned it is answered for the person, and not only left alone. */
  readonly trust: Rates & { readonly approve: boolean };
  /** How much what is at stake, and how involved it is, weighs against trust. */
  readonly risk: { readonly lambda1: number; readonly lambda2: number };
  readonly autonomy: {
    /** Above it nobody need be asked. */
    readonly auto_approve_threshold: number;
    /** Below it a person is. */
    readonly human_required_threshold: number;
  };
  readonly profile: {
    readonly name: "balanced" | "oath" | "praxis" | "drive";
    /** What is asked about below the gate's threshold: all of a gated domain, or what is risky or cannot be read. */
    readonly trust_gate: "risky" | "domain";
    readonly trust_gate_threshold: number;
    /** Who decides about git's remotes while building: the settings of `publish`, or nobody. */
    readonly remote: "publish" | "deny";
  };
  readonly activity: {
    /** The agent is told what a prompt asks for, when that is another thing than before. */
    readonly hint: boolean;
    /** A program of the person's own that says it; empty: the rules do. Read from the person's own file only. */
    readonly command: string;
  };
  readonly stance: {
    /** Where no person has set one. */
    readonly default: Stance;
  };
  readonly context: {
    /** Sessions begin with the guide and a list of context files, and compaction trims them. */
    readonly guide: boolean;
    /** Characters at the beginning of a session. */
    readonly budget_chars: number;
    /** Where learnings of all projects stand; `~` is the home. */
    readonly global_learnings: string;
    /** Percent of the model's context in use at which a hint is given, and a second one. */
    readonly pressure_info: number;
    readonly pressure_urgent: number;
  };
  readonly modes: {
    /** Words of a prompt may start a mode. Those that cancel, and commands, always count. */
    readonly keywords: boolean;
    /** Other words of a prompt point the agent to the skill that serves them. */
    readonly skills: boolean;
    /** A person's own, beside ours. */
    readonly words: readonly OwnWord[];
    /** How often a mode may refuse the end of a turn, over all its turns. */
    readonly persistent_max: number;
    readonly qa_max: number;
    readonly turbo_max: number;
    /** When the agent is reminded of the modes before it uses a tool. */
    readonly reminder: "off" | "change" | "always";
    /** It is also reminded of open tasks where there is no mode. */
    readonly tasks: boolean;
  };
  readonly stop: {
    /** How often the end of a turn may be refused between two prompts of a person, by whomever. */
    readonly ceiling: number;
    /** How often in a row, without a tool use in between. */
    readonly idle: number;
  };
  readonly model: {
    /** The model that suits a subagent's work is set, and not only recorded. */
    readonly apply: boolean;
  };
  /** What must be shown before work counts as done. */
  readonly verify: {
    /** `test=npm run test:unit`: what runs a check, in place of what was found; `lint=`: it is not asked for. */
    readonly commands: readonly string[];
    /** The checks that changed code needs, as far as the project has them. */
    readonly require: readonly CheckName[];
    /** `check=minutes`: how long a pass stands. */
    readonly ttl_minutes: readonly string[];
    /** What a turn meets that ends with changed code and without proof. */
    readonly stop: "off" | "warn" | "block";
    /** Which tasks need proof to be completed: none, those of a session that changed code, or all. */
    readonly tasks: "off" | "changed" | "all";
    /** Whether a subagent that ends with possibilities in place of results is sent back once. */
    readonly subagents: "off" | "on";
    /** The skill that stands in where a project has no checks; empty: none. */
    readonly skill: string;
  };
  /** Policies switched on or off. Floor policies stay on whatever stands here. */
  readonly policies: Readonly<Record<string, "on" | "off">>;
}

/** What holds where nobody has set anything. */
export const defaultSettings: Settings = {
  enabled: true,
  language: "auto",
  ask: { headless: "deny" },
  audit: { retention_days: 90, max_megabytes: 512 },
  security: "strict",
  branch: { protect: ["main", "master"] },
  publish: { share: "off", release: "ask" },
  lint: { before_commit: "warn" },
  rules: { code_skill: "", document_skill: "", writing_skill: "", read_before_edit: "off" },
  gates: { code_extensions: [], rules: [] },
  quality: { tests: "off" },
  secrets: { env_files: "ask", places: [], exempt: [] },
  format: { enabled: false, commands: [] },
  undo: { retention_days: 14, max_megabytes: 512 },
  trust: { ...defaultRates, approve: false },
  risk: { lambda1: 0.6, lambda2: 0.4 },
  autonomy: { auto_approve_threshold: 0.8, human_required_threshold: 0.4 },
  profile: { name: "balanced", trust_gate: "risky", trust_gate_threshold: 0.8, remote: "publish" },
  activity: { hint: false, command: "" },
  stance: { default: "building" },
  context: {
    guide: false,
    budget_chars: 8000,
    global_learnings: "~/.claude/learnings/global-learnings.md",
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
  model: { apply: false },
  verify: {
    commands: [],
    require: ["lint", "typecheck", "test"],
    ttl_minutes: [],
    stop: "block",
    tasks: "changed",
    subagents: "off",
    skill: "",
  },
  policies: {},
};

export interface SettingsProblem {
  readonly key: string;
  readonly message: string;
  /** The file it stands in. */
  readonly file?: string;
  /** Counted from 1, where it could be found. */
  readonly line?: number;
  /** Of a list: which of its entries, counted from 0. */
  readonly entry?: number;
}

/** The key of a problem with all of a file. */
export const WHOLE_FILE = "(file)";

/** In a line, with its place. */
export function problemWords({ key, message, file, line }: SettingsProblem): string {
  if (file === undefined) return `${key} ${message}`;
  const place = line === undefined ? file : `${file}, line ${line}`;
  // Of a file that cannot be read at all, the reader's own words tell where.
  return key === WHOLE_FILE ? `${file} ${message}` : `${key} ${message} (in ${place})`;
}

export interface CheckedSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
  /** Keys whose value differs from the default. */
  readonly custom: readonly string[];
  /** Where a value comes from that is not the default: a file, or `profile NAME`. Where the layers' files are known. */
  readonly from?: Readonly<Record<string, string>>;
}
