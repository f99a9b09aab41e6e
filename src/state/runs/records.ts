/** The records of a pipeline's run. Each fits into a line of the journal; long texts are blobs beside it. See ADR 0073. */
import type { Ranges } from "../../lib/ranges.ts";
import type { BlobRef } from "../inbox/records.ts";
import type { HostProcess } from "../session/session.ts";

/** Nothing is known of a limit that is missing. Unlike a definition's budget it also holds what the person gave. */
export interface Limits {
  readonly usd?: number;
  readonly tokens?: number;
  readonly agents?: number;
  readonly ms?: number;
}

/** What one pass of a step used. Without `usd` it is not known, which is never the same as nothing. */
export interface Used {
  readonly usd?: number;
  readonly tokens?: number;
  readonly ms: number;
}

/**
 * Why a pass failed. `work`: the evidence says no. `gate`: a verdict says no. `transient`: it may pass by itself. `auth`: a
 * login, a credit or a permission is missing. `refused`: a policy objects to a command. `ungoverned`: no hook event came from
 * its process. `budget`: it reached its own limit. `conflict`: its result can't be merged. `rejected`: a person said no.
 */
export const CAUSES = [
  "work",
  "gate",
  "transient",
  "timeout",
  "auth",
  "refused",
  "ungoverned",
  "budget",
  "conflict",
  "rejected",
] as const;
export type Cause = (typeof CAUSES)[number];

export type Completion = "passed" | "failed" | "partial";

interface Of {
  readonly kind: "run";
  readonly run: string;
}

/** Written by the runner that holds the token; with an older token a record doesn't count. */
interface ByRunner extends Of {
  readonly token: number;
}

interface OfStep extends ByRunner {
  /** The step, or `step/batch/item`. */
  readonly step: string;
  readonly attempt: number;
}

export interface StartRecord extends Of {
  readonly do: "start";
  readonly pipeline: string;
  readonly tier: string;
  /** Of the definition; `definition` is its whole text. */
  readonly digest: string;
  readonly definition: BlobRef;
  /** The task and the values that were given, as JSON. */
  readonly given: BlobRef;
  readonly root: string;
  /** The commit at which it begins. */
  readonly base: string;
  /** A commit of what was uncommitted then, kept under a ref of the run. */
  readonly snapshot?: string;
  readonly limits: Limits;
  readonly how: "headless" | "guided";
}

export interface BeginRecord extends OfStep {
  readonly do: "begin";
  /** Its place in the plan. */
  readonly n: number;
  readonly model?: string;
  /** The session of its agent, so that its hook events are found. */
  readonly session?: string;
  /** The head of its process group. */
  readonly process?: HostProcess;
  /** What it may cost at most, and counts as if it never says. */
  readonly ceiling?: number;
  readonly worktree?: string;
}

export type RunRecord =
  | StartRecord
  /** The first one with the next token has the run. */
  | (ByRunner & { readonly do: "runner"; readonly process: HostProcess })
  | (ByRunner & { readonly do: "rest" })
  | BeginRecord
  | (OfStep & {
      readonly do: "done";
      readonly evidence: readonly string[];
      readonly used: Used;
      readonly commit?: string;
      readonly out?: BlobRef;
      /** The test that was seen failing by its own assertion. */
      readonly red?: string;
      /** A gate's verdict with remarks. */
      readonly verdict?: "go" | "conditional";
      /** The id of the record by which a person let it pass. */
      readonly approval?: string;
    })
  | (OfStep & {
      readonly do: "fail";
      readonly cause: Cause;
      readonly why: string;
      readonly evidence: readonly string[];
      readonly used: Used;
      readonly commit?: string;
      readonly out?: BlobRef;
    })
  /** Its runner is gone. With `stopped` it was ended on purpose, and that counts against nothing. */
  | (OfStep & { readonly do: "lost"; readonly stopped?: true; readonly commit?: string })
  /** The fix command ran after that attempt. */
  | (OfStep & { readonly do: "fix"; readonly exit: number | null; readonly changed: boolean; readonly ms: number })
  | (ByRunner & { readonly do: "skip"; readonly step: string; readonly n: number; readonly why: string })
  /** A person is asked. `n`: for a gate that asks nobody else first. */
  | (OfStep & { readonly do: "gate"; readonly n: number; readonly used: Used; readonly evidence: readonly string[] })
  | (OfStep & { readonly do: "escalate"; readonly from: string; readonly to: string })
  /** It is tried again; the checks with these places in the plan too, because their evidence is void. */
  | (OfStep & { readonly do: "retry"; readonly reset: Ranges })
  /** The steps with these places in the plan begin anew. */
  | (OfStep & { readonly do: "compensate"; readonly to: string; readonly reset: Ranges })
  /** Only a person can help. */
  | (OfStep & { readonly do: "hold"; readonly cause: Cause | "ladder"; readonly why: string })
  | (OfStep & { readonly do: "release"; readonly approval: string })
  | (OfStep & { readonly do: "give-up"; readonly why: string })
  /** Written before the worktree is made or removed. */
  | (OfStep & {
      readonly do: "worktree";
      readonly path: string;
      readonly is: "made" | "removed" | "left";
      readonly why?: string;
    })
  /** Anybody may cancel: that only stops work. */
  | (Of & { readonly do: "cancel"; readonly by: string })
  | (ByRunner & { readonly do: "end"; readonly verdict: Completion; readonly why: string });
