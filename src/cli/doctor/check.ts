/** What a check is: one question about this installation, and how its answer is put. */
import type { Probe } from "../../gatehouse/probe.ts";
import type { Started } from "../../gatehouse/start.ts";
import type { Door, Program } from "../../hosts/claude-code/hooks.ts";
import type { Registration } from "../../hosts/claude-code/registered.ts";
import type { EventName } from "../../kernel/event.ts";
import type { Places } from "../../kernel/facts.ts";
import type { CheckedSettings } from "../../state/settings.ts";
import type { Store } from "../../store/store.ts";
import type { Figure } from "../../views/latency.ts";
import type { Environment } from "../../world/places.ts";
import type { Run } from "../run.ts";

/** Trouble is never told without why it matters and what to do. */
export type Finding =
  | { readonly state: "ok" | "skip"; readonly what: string; readonly figures?: readonly Figure[] }
  | {
      readonly state: "warn" | "fail";
      readonly what: string;
      readonly why: string;
      readonly fix: string;
      readonly figures?: readonly Figure[];
      /** Mends it, and says what was done. Throws a CommandError when it could not. */
      readonly repair?: () => string | Promise<string>;
    };

export interface Check {
  readonly id: string;
  readonly title: string;
  look(premises: Premises): Finding | Promise<Finding>;
}

/** A settings file of the host that exists. */
export interface HostFile {
  readonly path: string;
  readonly text: string;
  /** Undefined when nothing of ours is in it. */
  readonly ours?: Registration;
}

export interface Disk {
  readonly type: number;
  readonly freeBytes: number;
  /** Undefined where the file system does not count them. */
  readonly freeFiles?: number;
}

export interface GatehouseDoor {
  probe(): Promise<Probe>;
  start(): Promise<Started>;
  stop(): Promise<void>;
  /** As it is kept: what the hooks must know. Undefined when there is none that can be read. */
  door(): Door | undefined;
  /** A new port and a new token, or those that are `known`. The hooks must be rewritten after that. */
  move(known?: Door): Promise<Door>;
  /** Where it writes why it does not come up. */
  readonly log: string;
}

/** Everything the checks look at, so that tests can break each thing on its own. */
export interface Premises {
  readonly env: Environment;
  readonly now: number;
  readonly version: string;
  /** The program that examines; the hooks may start another. */
  readonly program: Program;
  /** What the law of this program listens to. */
  readonly events: readonly EventName[];
  readonly places: Places;
  readonly settings: CheckedSettings;
  readonly store: Store;
  readonly files: readonly HostFile[];
  /** Files that are there and cannot be read, with the reason, which names the file. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  readonly run: Run;
  readonly diskOf: (path: string) => Disk;
  readonly gatehouse: GatehouseDoor;
  /** The client's binary, when one is installed. */
  readonly client: string | undefined;
  readonly wants: { readonly client: boolean; readonly measuring: boolean; readonly integrity: boolean };
}

export function ok(what: string): Finding {
  return { state: "ok", what };
}

export function skip(what: string): Finding {
  return { state: "skip", what };
}

/** The files with hooks of ours in them. */
export function registered({ files }: Premises): readonly (HostFile & { readonly ours: Registration })[] {
  return files.flatMap((file) => (file.ours ? [{ ...file, ours: file.ours }] : []));
}
