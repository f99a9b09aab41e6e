/** The contract for running a host without a terminal: how it is started with our hooks only, and how its end is read. */
import type { EventName } from "../kernel/event.ts";
import type { Program } from "./registration.ts";

export interface HeadlessWish {
  readonly prompt: string;
  readonly session: string;
  /** The file with `settings`; no other settings file is read. */
  readonly settingsFile: string;
  readonly model: string | null;
  readonly tools: readonly string[];
  readonly turns: number | null;
  readonly usd: number | null;
  /** The agent answers with a value of this JSON schema. */
  readonly schema?: object;
}

export interface HeadlessEnd {
  /**
   * `none`: it said nothing at its end. `auth`: a login, a credit or a permission is missing. `transient`: it may pass by
   * itself. Its exit code says less than its last line.
   */
  readonly is: "ok" | "budget" | "turns" | "auth" | "transient" | "error" | "none";
  /** In its own words. */
  readonly text: string;
  readonly usd?: number;
  readonly tokens?: number;
  /** The value that the schema asked for; undefined if it gave none. */
  readonly value?: unknown;
}

export interface HostHeadless {
  /** Its own variables that an agent started by a run gets all the same: where the person's login and settings are. */
  readonly keptVariables: RegExp;
  /** Our hooks for these events and nothing else, or why the host would not read that. */
  settings(events: readonly EventName[], program: Program): { readonly text: string } | { readonly problem: string };
  args(wish: HeadlessWish): readonly string[];
  /** From everything that it has printed. */
  endIn(output: string): HeadlessEnd;
}
