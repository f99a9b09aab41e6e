/** The type of a doctor check and of its finding. */

import type { Probe } from "../../daemon/probe.ts";
import type { Started } from "../../daemon/start.ts";
import type { Door, Program, Registration } from "../../hosts/registration.ts";
import type { EventName } from "../../kernel/event.ts";
import type { Places } from "../../kernel/facts.ts";
import type { CheckedSettings } from "../../state/settings/settings.ts";
import type { Store } from "../../store/store.ts";
import type { Figure } from "../../views/latency.ts";
import type { Environment } from "../../world/machine/places.ts";
import type { Run } from "../setup/run.ts";

/** A warning or failure always says why it matters and how to fix it. */
export type Finding =
  | { readonly state: "ok" | "skip"; readonly what: string; readonly figures?: readonly Figure[] }
  | {
      readonly state: "warn" | "fail";
      readonly what: string;
      readonly why: string;
      readonly fix: string;
      readonly figures?: readonly Figure[];
      /** Repairs the problem and returns a message. Throws a Problem when it cannot. */
      readonly repair?: () => string | Promise<string>;
    };

export interface Check {
  readonly id: string;
  readonly title: string;
  look(premises: Premises): Finding | Promise<Finding>;
}

/** An existing settings file of the host. */
export interface HostFile {
  readonly path: string;
  readonly text: string;
  /** Undefined when the file contains no hook of ours. */
  readonly ours?: Registration;
}

export interface Disk {
  readonly type: number;
  readonly freeBytes: number;
  /** Undefined where the file system does not report it. */
  readonly freeFiles?: number;
}

export interface GatehouseDoor {
  probe(): Promise<Probe>;
  start(): Promise<Started>;
  stop(): Promise<void>;
  /** The stored port and token that hooks must use. Undefined when they cannot be read. */
  door(): Door | undefined;
  /** Sets a new port and token, or the `known` ones. The hooks must be rewritten afterwards. */
  move(known?: Door): Promise<Door>;
  /** The log file that says why the daemon does not start. */
  readonly log: string;
}

/** All inputs of the checks, so that tests can break each one separately. */
export interface Premises {
  readonly env: Environment;
  readonly now: number;
  readonly version: string;
  /** The program that runs the doctor; the hooks may start another one. */
  readonly program: Program;
  /** The events that this program's policies listen to. */
  readonly events: readonly EventName[];
  readonly places: Places;
  readonly settings: CheckedSettings;
  readonly store: Store;
  readonly files: readonly HostFile[];
  /** Existing files that cannot be read, with a reason that names the file. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  readonly run: Run;
  readonly diskOf: (path: string) => Disk;
  readonly gatehouse: GatehouseDoor;
  /** The host's binary, when one is installed. */
  readonly hostProgram: string | undefined;
  readonly wants: { readonly host: boolean; readonly measuring: boolean; readonly integrity: boolean };
}

export function ok(what: string): Finding {
  return { state: "ok", what };
}

export function skip(what: string): Finding {
  return { state: "skip", what };
}

/** The settings files that contain hooks of ours. */
export function registered({ files }: Premises): readonly (HostFile & { readonly ours: Registration })[] {
  return files.flatMap((file) => (file.ours ? [{ ...file, ours: file.ours }] : []));
}
