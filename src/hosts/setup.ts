/** The contract for commands: the host's files and program, and how to try the hooks. */
import type { HostLayout } from "../world/host-layout.ts";
import type { Environment } from "../world/machine/places.ts";
import type { Door, Note, OwnHook } from "./registration.ts";

/** A settings file of the host. The text is undefined if the file is missing or unreadable. */
export interface SettingsText {
  readonly path: string;
  readonly text: string | undefined;
}

export interface HostSetup {
  readonly title: string;
  /** The name of its executable. */
  readonly program: string;
  /** The first version that blocks an action when a hook fails. */
  readonly failsClosedSince: string;
  /** How a person updates it. */
  readonly howToUpdate: string;
  /** File names by scope: `user` is in the host's configuration directory, the others in the project. */
  readonly settingsFiles: Readonly<Record<"local" | "project" | "user", string>>;
  /** Files of a project that instruct the agent. A name ending in a slash stands for everything in that directory. */
  readonly contractFiles: readonly string[];
  /** The names of the host's environment variables. */
  readonly ownVariables: RegExp;
  readonly settings: HostSettings;
  readonly rehearsal: HostRehearsal;
  /** Reads what the host sends to a status line program. */
  statusIn(text: string): HostStatus;
  /** Prepares a run of the real host in a scratch directory, with a scripted model. */
  startTrial(stage: TrialStage): Promise<Trial>;
  readonly waking: HostWaking;
}

/** How a session that waits for a prompt is recognized, and how to type without losing what a person has typed. */
export interface HostWaking {
  /** The directory below the host's own with a file for each of its processes, named for the process id. */
  readonly registry: string;
  /** What such a file says; undefined if it can't be read. */
  runningIn(text: string): { readonly session: string; readonly started: string; readonly isIdle: boolean } | undefined;
  /** What stands in the input line, without spaces, and whether other text is put aside. Undefined where there is no input line. */
  inputIn(screen: string): { readonly text: string; readonly hasAside: boolean } | undefined;
  /** The key that puts what is typed aside; it comes back when something was sent. */
  readonly asideKey: string;
  /** The command that forgets the conversation. */
  readonly clear: string;
}

/** Settings of the host that affect our hooks. Lists of files go from weakest to strongest. */
export interface HostSettings {
  /** Keys that disable hooks, and what the host does then. */
  readonly switches: Readonly<Record<string, string>>;
  /** True for a key that matters only on the way to the daemon. */
  isLaneKey(key: string): boolean;
  /** Names of our plugin that the file enables. */
  enabledPlugins(text: string): readonly string[];
  /** Our plugins that are enabled by all files together, with the file that decides. */
  activePlugins(files: readonly SettingsText[]): readonly { readonly name: string; readonly path: string }[];
  /** The environment variables that the file sets. */
  variablesIn(text: string): Environment;
  /** True if the file has an allowlist for HTTP hooks that lacks one of these URLs. */
  forbidsUrls(text: string, urls: readonly string[]): boolean;
  /** True if the file enables a network sandbox without an exception for the daemon. */
  sandboxes(text: string): boolean;
  /** The NO_PROXY value our settings file needs, if any. */
  proxyException(
    text: string | undefined,
    note: Note | undefined,
    env: Environment,
    others: readonly SettingsText[],
  ): string | undefined;
  /** Why that NO_PROXY value would have no effect. */
  proxyBar(path: string, noProxy: string | undefined, files: readonly SettingsText[]): string | undefined;
}

/** How the host sends an event and reads the answer, for trying a hook without the host. */
export interface HostRehearsal {
  /** The line that the host's transcript gets for an event with these fields; empty if none. */
  recorded(event: string, fields: object): string;
  /** The smallest payload of an event; its tool is a shell command. */
  payload(event: string, at: { readonly session: string; readonly project: string; readonly command?: string }): object;
  readingPayload(at: { readonly session: string; readonly project: string }): object;
  /** The fields that every event has. */
  common(event: string, at: { readonly session: string; readonly project: string }): object;
  /** The variables that the host sets for a hook. */
  environment(project: string, pid: number): Readonly<Record<string, string>>;
  /** The meaning of a hook's exit codes. A code that is not listed is a failure. */
  readonly exitCodes: Readonly<Record<number, "refused" | "said" | undefined>>;
  /** Reads a hook's output like the host does. */
  answerIn(body: string): { readonly answer: "refused" | "asked" | "passed" | "failed"; readonly detail: string };
  /** True for the gate for reading tools, which fails open when Sekisho is broken. */
  isHarmlessGate(hook: OwnHook): boolean;
  /** The hook without the argument that checks on the daemon: in a scratch state it would start one. */
  unwatching(hook: OwnHook["hook"]): OwnHook["hook"];
}

export interface HostStatus {
  /** Empty if unknown. */
  readonly session: string;
  readonly directory?: string;
  /** Percent of the context in use; not validated yet. */
  readonly used: unknown;
}

/** A scratch directory with `project`, `home`, `state`, `config` and `tmp` in it. */
export interface TrialStage {
  readonly root: string;
  /** The existing settings files; `ours` is set if the file contains hooks of ours. */
  readonly files: readonly { readonly path: string; readonly text: string; readonly ours?: unknown }[];
  /** The host's configuration directory of the user, symlinks resolved. */
  readonly userDirectory: string;
  readonly env: Environment;
  readonly node: string;
  /** The shell commands that the model asks for, by tool use id. */
  readonly commands: Readonly<Record<string, string>>;
}

export interface Trial {
  readonly args: readonly string[];
  readonly env: Environment;
  /** The tool result that the model received; undefined if it received none. */
  told(id: string): string | undefined;
  close(): Promise<void>;
}

/** The contract for checking on the daemon. Kept small, because `watch.cjs` is loaded at every turn. */
export interface HostWatch {
  readonly layout: HostLayout;
  /** True if a hook of ours calls a daemon; with a door, only if it calls another one. */
  callsElsewhere(text: string, door: Door | undefined): boolean;
  /** The payload for a shell command. */
  shellCall(session: string, cwd: string, command: string): string;
  isRefusal(answer: string): boolean;
}
