/**
 * A pipeline as it is defined: plain values, every default filled in, no positions. It is the same for a run, a picture
 * and a digest, whatever notation the file used.
 */
import type { CheckName } from "../state/check-names.ts";
import type { Model } from "../state/models.ts";
import type { Expression } from "./condition/expression.ts";

export interface Pipeline {
  /** As it is written: `NEW_FEATURE`. `new-feature` means the same; see `isNamed`. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** In the order of the file. A pipeline without tiers has one, `default`. */
  readonly tiers: readonly Tier[];
  /** Every step that is defined, also those in no tier. */
  readonly steps: readonly Step[];
  /** Values that whoever starts a run may give. */
  readonly inputs: readonly Input[];
  /** What must be true at the end of every run. */
  readonly baseDod: readonly DodItem[];
  readonly global: Global;
  /** For a whole run. */
  readonly budget: Budget;
  /** No step uses a higher model. */
  readonly maxModel: Model | null;
  /** As people see it: relative to the work tree, or absolute outside it. */
  readonly file: string;
  /** Of everything above but `file`: the same for two files that define the same. */
  readonly digest: string;
}

export const DEFAULT_TIER = "default";

export interface Tier {
  readonly name: string;
  /** Ids of steps, in the order in which they run. */
  readonly steps: readonly string[];
}

export const STEP_TYPES = ["work", "automatic", "gate"] as const;

/** `work`: an agent does it. `automatic`: its commands are all there is to it. `gate`: nothing passes until it says so. */
export type StepType = (typeof STEP_TYPES)[number];

export interface Step {
  readonly id: string;
  readonly type: StepType;
  readonly description: string;
  /** What the agent is told, in place of the description. */
  readonly prompt: string | null;
  readonly skills: readonly SkillUse[];
  /** Where the ladder begins; null: at its lowest model. */
  readonly model: Model | null;
  readonly maxModel: Model | null;
  /** Tools that the agent of this step may use; null: those of the run. */
  readonly allowedTools: readonly string[] | null;
  readonly maxTurns: number | null;
  /** Only a person can say that it passed. */
  readonly requiresUser: boolean;
  readonly args: readonly string[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly checks: readonly GateCheck[];
  /** Shell lines. Values of a run reach them by the environment, never by their text. */
  readonly commands: readonly string[];
  readonly principles: readonly string[];
  readonly tdd: boolean;
  readonly tddPhase: TddPhase | null;
  /** The test that must be seen failing (red) or passing (green); null: the run has to learn its name. */
  readonly test: string | null;
  /** Globs of the files that the step may change; empty: any. */
  readonly scope: readonly string[];
  /** In listed order. Empty: the step is one piece of work. */
  readonly batches: readonly Batch[];
  /** A batch that fails takes those that passed with it; otherwise they are kept. */
  readonly atomic: boolean;
  /** Null: it always runs. */
  readonly when: Condition | null;
  /** Its failure does not fail the run. */
  readonly optional: boolean;
  /** What to do when nothing else helps, in words. */
  readonly fallback: string | null;
  /** Null for steps that are no gate. */
  readonly gate: Gate | null;
  readonly retry: Retry;
  readonly compensation: Compensation | null;
  /** Ids; null: the step before it in its tier. */
  readonly dependsOn: readonly string[] | null;
  readonly timeoutSeconds: number | null;
  readonly budget: Budget;
}

export interface SkillUse {
  readonly skill: string;
  /** Null: the model of the step. */
  readonly model: Model | null;
}

export const TDD_PHASES = ["red", "green"] as const;
export type TddPhase = (typeof TDD_PHASES)[number];

export interface Batch {
  readonly name: string;
  /** Its items may be worked on at the same time. */
  readonly parallel: boolean;
  readonly items: readonly string[];
}

/** Who decides a check of a gate. */
export type GateCheck =
  /** Passed checks of the project, as evidence knows them: all of these names that the project has. */
  | { readonly name: string; readonly by: "evidence"; readonly checks: readonly CheckName[] }
  /** The completion contract's items of one kind. */
  | { readonly name: string; readonly by: "dod"; readonly items: Verifier }
  /** An agent's verdict. */
  | { readonly name: string; readonly by: "agent" };

export const VERIFIERS = ["machine", "ai", "human"] as const;

/** `machine`: evidence. `ai`: an agent's verdict. `human`: a person, and nobody else. */
export type Verifier = (typeof VERIFIERS)[number];

export interface Gate {
  /** The strictest of its checks, where the file does not say: a person, an agent, evidence. */
  readonly type: Verifier;
  /** What the file says should follow a No-Go, in words; `compensation` is what is done. */
  readonly failAction: string | null;
  readonly options: readonly string[];
}

/** `expression`: decided by us. `judged`: words, which an agent or a person has to judge. */
export type Condition =
  | { readonly kind: "expression"; readonly source: string; readonly expression: Expression }
  | { readonly kind: "judged"; readonly source: string };

export interface Retry {
  /** Further tries. The first one is not counted. */
  readonly max: number;
  /** Commands run once, unless the file says how often they may be repeated. */
  readonly isWritten: boolean;
  readonly fallback: string | null;
  readonly autoFix: boolean;
  /** Null with `autoFix`: the project's own way to fix what can be fixed. */
  readonly autoFixCommand: string | null;
  readonly intervalSeconds: number;
  /** `transient`: only what may pass by itself, such as a network that is down. */
  readonly onError: "transient" | "all";
}

export interface Compensation {
  /** In words. */
  readonly action: string;
  /** The step that the run goes back to; null: none, the failure stands. */
  readonly revertTo: string | null;
}

/** Null: no limit of its own. */
export interface Budget {
  readonly maxUsd: number | null;
  readonly maxTokens: number | null;
  readonly maxAgents: number | null;
  readonly maxRuntimeSeconds: number | null;
}

export interface Input {
  readonly name: string;
  readonly description: string;
  readonly type: "string" | "number" | "boolean";
  readonly required: boolean;
  readonly default: string | number | boolean | null;
  /** Empty: any value. */
  readonly options: readonly string[];
}

export interface DodItem {
  readonly id: string;
  readonly level: string;
  readonly description: string;
  readonly type: Verifier;
  readonly observation: string;
  /** The checks of the project that prove it, where the file names them. */
  readonly checks: readonly CheckName[];
  /** Steps that must have passed for it. */
  readonly steps: readonly string[];
}

export interface Global {
  readonly evidenceCaching: boolean;
  /** Null: Sekisho's own place. Evidence is only ever taken from the journal. */
  readonly evidenceCachePath: string | null;
  /** Null: beside the state of the session. */
  readonly pipelineLogPath: string | null;
  readonly contextJsonSsot: boolean;
  /** Over all steps of a run; one more ends it. */
  readonly maxTotalRetries: number;
  readonly modelFallback: ModelFallback;
}

export interface ModelFallback {
  readonly enabled: boolean;
  readonly order: readonly Model[];
  readonly maxFailuresBeforeEscalation: number;
}
