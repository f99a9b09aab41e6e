/** The tool uses that a host can attempt, as far as their input could be read. */

/** An attempted tool use, as far as its input could be read. `name` is the host's name for the tool. */
export type Tool = { readonly name: string } & (
  | { readonly kind: "bash"; readonly command: string; readonly background: boolean }
  | { readonly kind: "write"; readonly path: string; readonly content: string }
  | { readonly kind: "edit"; readonly path: string; readonly edits: readonly Replacement[] }
  | { readonly kind: "notebook"; readonly path: string; readonly source: string }
  /** `glob`: limits a search to matching file names. */
  | { readonly kind: "read"; readonly path?: string; readonly glob?: string }
  /**
   * `skill`: it takes up that one. `asks`: a question to the person; `answered`: one that brings its answer. `prompts`: it
   * has a prompt sent later, in these words; `toAgent`: to another agent.
   */
  | {
      readonly kind: "control";
      readonly skill?: string;
      readonly asks?: true;
      readonly answered?: true;
      readonly prompts?: string;
      readonly toAgent?: true;
      /** By its id or its name. */
      readonly to?: string;
      readonly leavesPlan?: true;
    }
  /** `called`: a name of its own, by which hosts may report it instead of its type. */
  | { readonly kind: "agent"; readonly agentType: string; readonly called?: string }
  | { readonly kind: "worktree" }
  | { readonly kind: "web"; readonly url?: string }
  /** Tools with an unknown input format: only its strings can be read, and the names of the fields they stand in. */
  | { readonly kind: "mcp"; readonly words: readonly string[]; readonly fields?: readonly ToolField[] }
  | { readonly kind: "unknown"; readonly words: readonly string[]; readonly fields?: readonly ToolField[] }
  /** A known tool with malformed input; `field` says where. */
  | { readonly kind: "malformed"; readonly of: "read" | "control" | "change"; readonly field: string }
);

export interface ToolField {
  /** The innermost name: `sql` for `{ args: { sql: "…" } }`. */
  readonly name: string;
  readonly text: string;
}

export interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
}
