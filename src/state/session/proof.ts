/** Evidence of a session, bounded: invoked skills, files read, review verdicts and approvals by a person. */
import { bounded, own } from "../../lib/keyed.ts";
import { markOf } from "../../lib/sha256.ts";

export interface Review {
  readonly at: number;
  readonly pass: boolean;
  /** How often the reviewer itself read a file or ran a command. */
  readonly looked: number;
  /** Digest of the reviewed files without documents, where available. */
  readonly files?: string;
}

export interface Proof {
  /** Key (see `skillKey`) → time. */
  readonly skills: Readonly<Record<string, number>>;
  /** Resolved path → time. Recorded only while a rule needs it. */
  readonly reads: Readonly<Record<string, number>>;
  /** By the reviewer's type. */
  readonly reviews: Readonly<Record<string, Review>>;
  readonly approvals: Readonly<Record<string, number>>;
  /** Active reviewers → how often each has read a file or run a command, and which files. */
  readonly looks?: Readonly<Record<string, Look>>;
  /** Types of subagents that the path of a plan asks for → when one last ended. */
  readonly helpers?: Readonly<Record<string, number>>;
  /** Time of the person's last prompt and of the last code change. Recorded only while a rule needs it. */
  readonly turnAt?: number;
  /** The plan that was read since the session began; empty if it must be read again. */
  readonly plan?: string;
  /** Subagents that have read it themselves: that is in their own context only. */
  readonly planReaders?: Readonly<Record<string, number>>;
  readonly changedAt?: number;
  /** When the agent last scheduled prompts for itself; from then on a prompt alone does not prove a person. */
  readonly scheduledAt?: number;
  /** First words of those prompts; empty where unknown. */
  readonly sent?: readonly string[];
}

export interface Look {
  readonly at: number;
  readonly count: number;
  /** Marks of the files that it has read (`lookMark`). */
  readonly read?: readonly string[];
  /** Commands that it has run. */
  readonly ran?: number;
  /** Judges of a plan only: digest of the files that they must see, as they were when it began to look. */
  readonly files?: string;
}

const LOOK_MARK_CHARS = 10;

export function lookMark(path: string): string {
  return markOf(path).slice(0, LOOK_MARK_CHARS);
}

/** The part of a session that this file handles. */
export interface Proven {
  readonly proof?: Proof;
}

export type ProofChange =
  | { readonly record: "proof"; readonly do: "skill"; readonly name: string; readonly agent?: string }
  | { readonly record: "proof"; readonly do: "read"; readonly path: string }
  | {
      readonly record: "proof";
      readonly do: "look";
      readonly agent: string;
      readonly read?: readonly string[];
      readonly ran?: true;
    }
  /** A judge of a plan begins to look, or must begin anew. */
  | { readonly record: "proof"; readonly do: "judge"; readonly agent: string; readonly files: string }
  /** A subagent of that type has ended. */
  | { readonly record: "proof"; readonly do: "helper"; readonly type: string }
  | {
      readonly record: "proof";
      readonly do: "review";
      readonly type: string;
      readonly pass: boolean;
      readonly looked: number;
      readonly files?: string;
    }
  | { readonly record: "proof"; readonly do: "approve"; readonly name: string }
  | { readonly record: "proof"; readonly do: "turn" | "changed" }
  /** The approved plan was read; an empty path: a conversation begins that has not read it. */
  | { readonly record: "proof"; readonly do: "plan"; readonly path: string }
  | { readonly record: "proof"; readonly do: "plan-read"; readonly agent: string }
  /** `aside`: the message goes to another agent and never returns as a prompt. */
  | { readonly record: "proof"; readonly do: "scheduled"; readonly words?: string; readonly aside?: true };

/** Keep the state small whatever the agent does; the oldest entry goes first. */
export const SKILLS_MAX = 32;
export const READS_MAX = 64;
export const REVIEWS_MAX = 8;
export const APPROVALS_MAX = 16;
export const REVIEWERS_MAX = 16;
export const SENT_MAX = 10;
const LOOKS_MAX = 99;
const LOOKED_FILES_MAX = 256;
const HELPERS_MAX = 8;
const RESTING_READS_MAX = 8;

export const newProof: Proof = { skills: {}, reads: {}, reviews: {}, approvals: {} };

/** The name without its plugin prefix. */
export function bareName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

/** A skill that a subagent invokes is only in its own context, so it is stored under the subagent's id. */
export function skillKey(name: string, agent?: string): string {
  return agent === undefined ? bareName(name) : `${agent}/${bareName(name)}`;
}

/** A change of a newer version changes nothing. */
export function reduceProof(proof: Proof, change: ProofChange, now: number): Proof {
  const itself = (at: number): number => at;
  switch (change.do) {
    case "skill":
      return {
        ...proof,
        skills: bounded(proof.skills, skillKey(change.name, change.agent), now, SKILLS_MAX, itself),
      };
    case "read":
      return { ...proof, reads: bounded(proof.reads, change.path, now, READS_MAX, itself) };
    case "look": {
      const look = lookedAgain(own(proof.looks ?? {}, change.agent), change, now);
      return { ...proof, looks: bounded(proof.looks ?? {}, change.agent, look, REVIEWERS_MAX, ({ at }) => at) };
    }
    case "judge": {
      const look = { at: now, count: 0, files: change.files };
      return { ...proof, looks: bounded(proof.looks ?? {}, change.agent, look, REVIEWERS_MAX, ({ at }) => at) };
    }
    case "helper":
      return { ...proof, helpers: bounded(proof.helpers ?? {}, change.type, now, HELPERS_MAX, itself) };
    case "review": {
      const { pass, looked, files } = change;
      const review = { at: now, pass, looked, ...(files !== undefined && { files }) };
      return { ...proof, reviews: bounded(proof.reviews, change.type, review, REVIEWS_MAX, ({ at }) => at) };
    }
    case "approve":
      return { ...proof, approvals: bounded(proof.approvals, change.name, now, APPROVALS_MAX, itself) };
    case "turn":
      return { ...proof, turnAt: now };
    case "plan":
      return { ...proof, plan: change.path };
    case "plan-read":
      return { ...proof, planReaders: bounded(proof.planReaders ?? {}, change.agent, now, REVIEWERS_MAX, itself) };
    case "changed":
      return { ...proof, changedAt: now };
    case "scheduled":
      if (change.aside) return { ...proof, scheduledAt: now };
      return { ...proof, scheduledAt: now, sent: withSent(proof.sent ?? [], change.words ?? "") };
    default:
      return proof;
  }
}

function lookedAgain(before: Look | undefined, change: ProofChange & { readonly do: "look" }, at: number): Look {
  const count = Math.min(LOOKS_MAX, (before?.count ?? 0) + 1);
  const marks = Array.isArray(change.read) ? change.read : [];
  const read = [...new Set([...(before?.read ?? []), ...marks])].slice(-LOOKED_FILES_MAX);
  const ran = Math.min(LOOKS_MAX, (before?.ran ?? 0) + (change.ran ? 1 : 0));
  const files = before?.files;
  return {
    ...{ at, count },
    ...(read.length > 0 && { read }),
    ...(ran > 0 && { ran }),
    ...(files !== undefined && { files }),
  };
}

/** Beyond the limit the list is marked as unknown with an empty entry. */
function withSent(sent: readonly string[], words: string): readonly string[] {
  if (sent.includes(words)) return sent;
  return sent.length < SENT_MAX ? [...sent, words] : [...new Set([...sent.slice(1), ""])];
}

/** An ended session may be resumed with its conversation, so only the long lists are dropped. */
export function endProof<P extends Proven>(session: P): P {
  if (!session.proof) return session;
  const { looks: _, ...rest } = session.proof;
  return { ...session, proof: { ...rest, reads: {} } };
}

/** An inactive session keeps only its newest entries, because the whole state is read at every event. */
export function restProof<P extends Proven>(session: P): P {
  if (!session.proof) return session;
  const newest = Object.entries(session.proof.reads).sort(([, a], [, b]) => b - a);
  return { ...session, proof: { ...session.proof, reads: Object.fromEntries(newest.slice(0, RESTING_READS_MAX)) } };
}
