/** Describes the effects of a tool call before it runs, from its input alone. */

import { absolute, fromHome } from "../../lib/paths.ts";
import type { ShellReading } from "../shell/parse/reading.ts";
import type { Place } from "../shell/parse/shell.ts";
import { readCommand } from "../shell/walk/command.ts";
import type { Tool } from "../tool.ts";
import { complexityOf, type Domain, type Part, type Reach, type Risk, UNREADABLE, writeDomain } from "./domain.ts";
import type { Effect, EffectKind } from "./effects.ts";

type OperationClass = "read" | "control" | "write" | "exec" | "external" | "unknown";

export interface Operation {
  readonly class: OperationClass;
  /** The main kind of work: the outcome counts towards this domain. */
  readonly domain: Domain;
  /** Every kind of work in the operation with its own risk; more than one only for shell lines. */
  readonly parts: readonly Part[];
  /** Kinds of work that the operation did besides, and that need not be weighed: on a line that acts, what it only reads. */
  readonly looks?: readonly Domain[];
  /** The highest risk of the parts. */
  readonly risk: Risk;
  /** By risk: 0.2, 0.5, 0.7, 1.0. */
  readonly complexity: number;
  readonly effects: readonly Effect[];
  /** The only risk is that files are deleted. */
  readonly deletes?: true;
  /** Present for shell commands. */
  readonly shell?: ShellReading;
}

export function operationOf(tool: Tool, place: Place): Operation {
  switch (tool.kind) {
    case "bash":
      return shellOperation(tool.command, place);
    case "write":
      return fileOperation("write", tool.path, tool.name, place, { replaces: true });
    case "edit":
    case "notebook":
      return fileOperation("write", tool.path, tool.name, place);
    case "read":
      return tool.path === undefined ? readOperation : fileOperation("read", tool.path, tool.name, place);
    case "control":
    case "agent":
      return singleOperation("control", "control", "low");
    case "worktree":
      return singleOperation("exec", "git_local", "medium");
    case "web":
    case "mcp":
      return singleOperation("external", "external", "medium");
    case "unknown":
      return singleOperation("unknown", "_global", "medium");
    case "malformed":
      return malformed(tool.of);
  }
}

/** Whether the operation could change anything. Anything not known to be harmless counts as a change. */
export function changes({ class: kind }: Operation): boolean {
  return kind !== "read" && kind !== "control";
}

/** An operation with one kind of work. */
export function singleOperation(
  kind: OperationClass,
  domain: Domain,
  risk: Risk,
  effects: readonly Effect[] = [],
): Operation {
  const parts = [{ domain, risk, ...(kind === "unknown" && UNREADABLE) }];
  return { class: kind, domain, parts, risk, complexity: complexityOf(risk), effects };
}

const readOperation = singleOperation("read", "file_read", "low");

/** Used for an unreadable input of a tool that changes nothing. */
export const harmlessOperation: Operation = readOperation;

function malformed(kind: "read" | "control" | "change"): Operation {
  if (kind === "read") return readOperation;
  return kind === "control"
    ? singleOperation("control", "control", "low")
    : singleOperation("unknown", "_global", "medium");
}

function fileOperation(
  kind: "read" | "write",
  spelled: string,
  by: string,
  place: Place,
  more: Pick<Effect, "replaces"> = {},
): Operation {
  const path = absolute(fromHome(spelled, place.home), place.cwd) ?? spelled;
  const effect = { ...fileEffect(kind, path, spelled, by), ...more };
  return kind === "read"
    ? singleOperation("read", "file_read", "low", [effect])
    : singleOperation("write", writeDomain(path, place.cwd), "medium", [effect]);
}

function fileEffect(kind: EffectKind, path: string, spelled: string, by: string): Effect {
  return { kind, path, literal: true, glob: false, recursive: false, by, spelled, elsewhere: false };
}

function shellOperation(command: string, place: Place): Operation {
  const { shell, effects, reach } = readCommand(command, place);
  const { domain, parts, looks, risk, deletes } = reach;
  const whole = { parts, shell, ...(looks.length > 0 && { looks }), ...(deletes && { deletes }) };
  return { ...singleOperation(shellClass(reach), domain, risk, effects), ...whole };
}

function shellClass({ changes: acts, domain }: Reach): OperationClass {
  if (!acts) return "read";
  if (domain === "external") return "external";
  return isFileWrite(domain) ? "write" : "exec";
}

function isFileWrite(domain: Domain): boolean {
  return domain === "file_write" || domain === "file_write_src" || domain === "docs_write";
}
