/** What a session has shown: skills taken up, files read, what reviewers found, what a person approved. Bounded. */
import { bounded, own } from "./keyed.ts";

export interface Review {
  readonly at: number;
  readonly pass: boolean;
  /** How often the reviewer looked at something itself. */
  readonly looked: number;
  /** Digest of what it judged, documents left out, where that could be had. */
  readonly files?: string;
}

export interface Proof {
  /** Key (see `skillKey`) → when. */
  readonly skills: Readonly<Record<string, number>>;
  /** True name → when. Kept only while some rule needs it. */
  readonly reads: Readonly<Record<string, number>>;
  /** By the reviewer's type. */
  readonly reviews: Readonly<Record<string, Review>>;
  readonly approvals: Readonly<Record<string, number>>;
  /** Reviewers at work → how often each has looked at something. */
  readonly looks?: Readonly<Record<string, Look>>;
  /** When a person last spoke, and when code was last changed. Kept only while some rule needs it. */
  readonly turnAt?: number;
  readonly changedAt?: number;
  /** The agent had prompts sent to itself: from then on a prompt alone is no person's word. */
  readonly scheduledAt?: number;
  /** How those began; empty where nobody could tell. */
  readonly sent?: readonly string[];
}

interface Look {
  readonly at: number;
  readonly count: number;
}

/** The part of a session that this file is about. */
export interface Proven {
  readonly proof?: Proof;
}

export type ProofChange =
  | { readonly record: "proof"; readonly do: "skill"; readonly name: string; readonly agent?: string }
  | { readonly record: "proof"; readonly do: "read"; readonly path: string }
  | { readonly record: "proof"; readonly do: "look"; readonly agent: string }
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
  /** `aside`: it goes to another agent, and comes back to nobody as a prompt. */
  | { readonly record: "proof"; readonly do: "scheduled"; readonly words?: string; readonly aside?: true };

/** Limits that keep it small whatever the agent does; the oldest goes first. */
export const SKILLS_MAX = 32;
export const READS_MAX = 64;
export const REVIEWS_MAX = 8;
export const APPROVALS_MAX = 16;
export const REVIEWERS_MAX = 16;
export const SENT_MAX = 10;
const LOOKS_MAX = 99;
const RESTING_READS_MAX = 8;

export const newProof: Proof = { skills: {}, reads: {}, reviews: {}, approvals: {} };

/** The name alone, without the plugin it comes from. */
export function bareName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

/** What a subagent takes up stands in its own context only, and is kept under its own name. */
export function skillKey(name: string, agent?: string): string {
  return agent === undefined ? bareName(name) : `${agent}/${bareName(name)}`;
}

/** Total: a change of a newer version is one this version knows nothing of, and changes nothing. */
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
      const count = Math.min(LOOKS_MAX, (own(proof.looks ?? {}, change.agent)?.count ?? 0) + 1);
      const looks = bounded(proof.looks ?? {}, change.agent, { at: now, count }, REVIEWERS_MAX, ({ at }) => at);
      return { ...proof, looks };
    }
    case "review": {
      const { pass, looked, files } = change;
      const review = { at: now, pass, looked, ...(files !== undefined && { files }) };
      return { ...proof, reviews: bounded(proof.reviews, change.type, review, REVIEWS_MAX, ({ at }) => at) };
    }
    case "approve":
      return { ...proof, approvals: bounded(proof.approvals, change.name, now, APPROVALS_MAX, itself) };
    case "turn":
      return { ...proof, turnAt: now };
    case "changed":
      return { ...proof, changedAt: now };
    case "scheduled":
      if (change.aside) return { ...proof, scheduledAt: now };
      return { ...proof, scheduledAt: now, sent: withSent(proof.sent ?? [], change.words ?? "") };
    default:
      return proof;
  }
}

/** Too many to tell apart are as good as unknown. */
function withSent(sent: readonly string[], words: string): readonly string[] {
  if (sent.includes(words)) return sent;
  return sent.length < SENT_MAX ? [...sent, words] : [...new Set([...sent.slice(1), ""])];
}

/** A session that has ended may be resumed, with all that was said in it: only what is long goes. */
export function endProof<P extends Proven>(session: P): P {
  if (!session.proof) return session;
  const { looks: _, ...rest } = session.proof;
  return { ...session, proof: { ...rest, reads: {} } };
}

/** Of a session that rests, the newest is enough: what all of them remember is read at every event. */
export function restProof<P extends Proven>(session: P): P {
  if (!session.proof) return session;
  const newest = Object.entries(session.proof.reads).sort(([, a], [, b]) => b - a);
  return { ...session, proof: { ...session.proof, reads: Object.fromEntries(newest.slice(0, RESTING_READS_MAX)) } };
}
