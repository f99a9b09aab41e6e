/** The host as policies know it: plain data that the host's folder provides. */
export interface HostTraits {
  /** The host's directory in the home directory and in a project. */
  readonly directory: string;
  /** The directory in a project with the agent's plan, progress and learnings. */
  readonly contextDirectory: string;
  /** The directory in a project with one directory per skill. */
  readonly skillsDirectory: string;
  /** Where a project keeps agents of its own. */
  readonly agentsDirectory: string;
  /** Paths of texts whose commands the host runs itself, without a hook. */
  readonly textPaths: RegExp;
  /** Files that name servers which the host starts itself. */
  readonly serverFiles: RegExp;
  /** The syntax in such a text that the host executes. */
  readonly textCommands: RegExp;
  /** Half of that syntax; the file may already contain the other half. */
  readonly textHalves: RegExp;
  /** The end of the path of the file with prompts that the host sends later. */
  readonly scheduleFile: string;
  /** Paths among the host's records where the agent keeps its own notes. */
  readonly ownNotes: RegExp;
  /** The names of the host's process. */
  readonly processNames: readonly string[];
  /** Variables of a shell command that hold the process id of the host. */
  readonly processVariables: readonly string[];
  /** How the host is started again, by an agent that it runs. */
  readonly restart: HostRestart;
  /** Variables that lead to the channel through which the host takes prompts. */
  readonly channelVariables: RegExp;
  /** Paths of that channel. */
  readonly channelPlaces: RegExp;
  /** Paths of the files that name the running hosts with their process ids. */
  readonly sessionPlaces: RegExp;
  /** Words in a short program or an unreadable command that may refer to the host's settings. */
  readonly settingsWords: RegExp;
  /** The same for scripts. They are longer and mention more, so only clear names of the settings count. */
  readonly settingsNames: RegExp;
  /** The variable with the session's project. Setting it selects another state directory. */
  readonly projectVariable: string;
  /** Where the host keeps the plan that is written in its plan mode. */
  readonly planFiles: RegExp;
  /** The host's names of tools that write the file in their input. */
  readonly fileTools: readonly string[];
  /** The host's names of tools that show a whole file. */
  readonly wholeReads: readonly string[];
  /** Types of subagents that only read. */
  readonly readingAgents: readonly string[];
}

/** What tells whether a host that a command starts would run our hooks. */
export interface HostRestart {
  /** Its npm packages. */
  readonly packages: readonly string[];
  /** Libraries by which a program starts it with settings of its own. */
  readonly libraries: RegExp;
  /** Options, with their value after a blank, that leave hooks out or load code; tested word by word. */
  readonly options: RegExp;
  /** Variables that switch hooks off. */
  readonly switches: RegExp;
  /** Variables that move the user's settings. */
  readonly moves: RegExp;
  /** Subcommands that start no session and load nothing, tested with the word after them. */
  readonly tells: RegExp;
  /** Subcommands that change what the host loads, or remove what it recorded. */
  readonly changes: RegExp;
  /** Settings files that count below their project too; the others only in its root. */
  readonly reachBelow: RegExp;
  /** The option that starts it in another work tree. */
  readonly elsewhere: RegExp;
}
