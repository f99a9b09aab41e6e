/**
 * The work that handling an event needs done outside it. The hall yields these effects and the lane performs them: at
 * once in a process of its own, or while other events go on in the daemon.
 */
import type { StateWith } from "../state/part.ts";
import type { PartName, Parts } from "../state/parts.ts";
import type { RecordBody } from "../state/record.ts";
import type { SnapshotRequest } from "./snapshot-request.ts";
import type { WholeInput } from "./whole-input.ts";

/** A program to run for a fact or a job. */
export interface ProgramRun {
  /** Absolute: a PATH may hold directories that an agent can write to. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeMs: number;
  /** Standard input; empty when left out. */
  readonly input?: string;
  /** How much of its output is read, if not the usual amount. */
  readonly bytesMax?: number;
  /** The program may start others, which must end with it. Only the plain lane enforces this. */
  readonly group?: true;
  /** It answers by its exit code: 1 and 2 mean no, for the reason that it prints there. */
  readonly judges?: "stdout" | "stderr";
}

/**
 * The program's standard output; `cut` when there was more than we read. `refused`: a program that judges said no, and the
 * text is its reason.
 */
export type ProgramResult =
  | { readonly text: string; readonly cut: boolean; readonly refused?: true }
  | { readonly failed: string };

export type Effect =
  /** With the named parts of the state. */
  | { readonly do: "read"; readonly journal: string; readonly parts?: readonly PartName[] }
  | {
      readonly do: "append";
      readonly journal: string;
      readonly record: RecordBody;
      readonly now: number;
      readonly durable: boolean;
      /** For a record that has not all of its input. */
      readonly whole?: WholeInput | undefined;
    }
  | { readonly do: "run"; readonly program: ProgramRun }
  /** The host writes its transcript a moment after it calls us. */
  | { readonly do: "wait"; readonly ms: number }
  /** Copying files takes long, so the daemon does it in a thread. */
  | { readonly do: "job"; readonly request: SnapshotRequest };

/** Code that may need effects on its way to a `T`. */
export type Steps<T> = Generator<Effect, T, unknown>;

export function* run(program: ProgramRun): Steps<ProgramResult> {
  return (yield { do: "run", program }) as ProgramResult;
}

/** The state with a part that the event needs. Throws what the store says when it cannot be read. */
export function* readPart<Name extends PartName>(journal: string, part: Name): Steps<StateWith<Parts, Name>> {
  const read = (yield { do: "read", journal, parts: [part] }) as StateWith<Parts, Name> | { readonly fault: string };
  if ("fault" in read && "code" in read) throw new Error(read.fault);
  return read as StateWith<Parts, Name>;
}

/** Keeps a record beside the one of the verdict. Throws what the store says when it cannot be kept. */
export function* keepRecord(
  record: RecordBody,
  { journal, now, durable = true }: { readonly journal: string; readonly now: number; readonly durable?: boolean },
): Steps<void> {
  const kept = yield { do: "append", journal, record, now, durable };
  if (typeof kept === "object" && kept !== null && "fault" in kept) throw new Error(String(kept.fault));
}
