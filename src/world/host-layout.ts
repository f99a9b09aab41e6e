/** A host's file names and environment variables, as data. */

export interface HostLayout {
  /** The host's directory in the home directory and in a project. */
  readonly directory: string;
  /** The settings files in that directory, from weakest to strongest. */
  readonly settings: readonly string[];
  /** Absolute paths of the settings managed by the administrator. */
  readonly managed: readonly string[];
  /** The directories in the user's host directory where the host records its sessions. */
  readonly records: readonly string[];
  readonly variables: HostVariables;
}

/** Names of environment variables. */
export interface HostVariables {
  /** The host's process id. */
  readonly process: string;
  /** The directory in which the session started. */
  readonly project: string;
  /** The user's configuration directory, if not the default. */
  readonly config: string;
  /** The directory of the plugin whose hook runs. */
  readonly plugin: string;
}

/** How to recognize a host's processes. */
export interface HostMarks {
  /** Variables that the host sets in the environment of every process it starts. */
  readonly variables: readonly string[];
  /** The name of the host's process. */
  readonly processName: RegExp;
}
