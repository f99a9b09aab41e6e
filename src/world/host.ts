/** The formats and places that only the host knows and facts need. */
import type { Step } from "../evidence/told-results.ts";
import type { HostTasks, Places, TranscriptLine } from "../kernel/facts.ts";
import type { HostTraits } from "../kernel/host-traits.ts";
import type { CheckName } from "../state/check-names.ts";
import type { HostLayout, HostMarks } from "./host-layout.ts";
import type { Environment } from "./machine/places.ts";

export interface Looking {
  readonly env: Environment;
  readonly places: Pick<Places, "project" | "home" | "installed" | "hostSettings">;
  readonly event: { readonly cwd: string };
}

/** How a hook can set up every shell of a session: by a file that the host runs before each command. */
export interface ShellSetup {
  /** The directory below the host's own, with a directory for each session. */
  readonly directory: string;
  /** Variables that change how the host runs commands. */
  readonly variables: readonly string[];
  /** Longer command lines are not set up. */
  fits(command: string): boolean;
  /** The file that the hook of a session's start may write. */
  fileIn(env: Environment): string | undefined;
  /** True if the host runs these files, in a shell that understands ours. */
  works(env: Environment, isThere: (path: string) => boolean): boolean;
  /** True if the host runs a file of this name in the session's directory. */
  isFile(name: string): boolean;
  /** The text that sets `pipefail` for the lines that match. */
  text(pattern: string): string;
}

/** A running session of the host, by the host's own registry. It is only as true as a file that programs can write. */
export interface Peer {
  readonly session: string;
  readonly name: string;
  readonly cwd: string;
  /** Undefined where the host does not say. */
  readonly isIdle?: boolean;
}

/** A host omits the functions for features it does not have. */
export interface LookingHost {
  readonly layout: HostLayout;
  readonly marks: HostMarks;
  readonly traits: HostTraits;
  /** The host's own lists of protected files in a project. */
  readonly protectedLists: readonly string[];
  /** `LEVEL:pattern` of the host's files that the playbook framework protects. */
  readonly protectedMinimum: readonly string[];
  /** The directory below the host's own, with files that every shell of the host reads first. */
  readonly shellFiles: string;
  /** Functions that the host itself defines there. */
  readonly shellFunctions?: readonly string[];
  readonly shellSetup?: ShellSetup;
  /** Variables that name the command of a check, by check. */
  readonly checkVariables?: Readonly<Partial<Record<CheckName, string>>>;
  /** The environment variables that a settings file sets. Never throws. */
  variablesIn?(text: string): Readonly<Record<string, string>>;
  /** The default of `context.global_learnings`. */
  readonly globalLearnings: string;
  /** Never throws; an unreadable line gives undefined. */
  readTranscriptLine?(line: string): TranscriptLine | undefined;
  /** The path of a subagent's transcript, given the session's; undefined for an invalid id. */
  /** Whether a file can be the transcript of that session. */
  isTranscriptOf?(transcript: string, session: string): boolean;
  transcriptOfAgent?(transcript: string, agent: string): string | undefined;
  /** Tool calls and results in parsed transcript lines, in transcript order. */
  transcriptSteps?(lines: readonly unknown[]): readonly Step[];
  /** The person's text, if the line is a prompt. Never throws. */
  readPrompt?(line: string): string | undefined;
  /** The skills that a session can load. */
  skillsOf?(from: Looking): readonly string[];
  agentsOf?(from: Looking): readonly string[];
  /** The running sessions that can be written to. */
  peersOf?(from: Pick<Looking, "env"> & { readonly places: Pick<Places, "home"> }): readonly Peer[];
  /** The agent's task list in the host. */
  tasksOf?(from: Looking, session: string): HostTasks;
  /** The normalized text of the prompts that the host will send later. */
  scheduledPrompts?(from: Looking): readonly string[];
}
