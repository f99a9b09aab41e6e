/** Every setting and its default. What each may be stands in `setting-rules.ts`. */

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
  readonly secrets: {
    /** What showing an env file to the model comes to. */
    readonly env_files: "ask" | "deny" | "pass";
    /** Further places of key material; a path, or a name with `*`. */
    readonly places: readonly string[];
    /** Places that only look like it. */
    readonly exempt: readonly string[];
  };
  readonly undo: {
    readonly retention_days: number;
    readonly max_megabytes: number;
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
  secrets: { env_files: "ask", places: [], exempt: [] },
  undo: { retention_days: 14, max_megabytes: 512 },
  policies: {},
};

export interface SettingsProblem {
  readonly key: string;
  readonly message: string;
}

export interface CheckedSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
  /** Keys whose value differs from the default. */
  readonly custom: readonly string[];
}
