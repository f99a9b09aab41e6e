/** The record of a verdict: enough to explain it and to join it with its outcome, without secrets. */
import { own } from "../lib/keyed.ts";
import { mask, maskText, maskTokens } from "../lib/secrets.ts";
import { clip, type Language } from "../lib/text.ts";
import type { Operation } from "../reading/operation/operation.ts";
import type { Change } from "../state/change.ts";
import type { VerdictRecord } from "../state/record.ts";
import type { Question, Verdict } from "./decide.ts";
import { effectText } from "./effect-text.ts";
import { type HookEvent, isToolEvent } from "./event.ts";
import { type Gathered, isUnknown } from "./facts.ts";
import { shapeOf } from "./shape.ts";
import type { WholeInput } from "./whole-input.ts";

/** Of a longer text the record has the beginning and a digest. The whole input is stored beside the journal (ADR 0058). */
const TEXT_CHARS_MAX = 700;
const TEXT_CHARS_KEPT = 400;
const MASKED_CHARS_MAX = 16_384;
/** Masking takes its time. A model's answer is shorter, so only a made-up input is longer. */
const WHOLE_CHARS_MAX = 512 * 1024;
/**
 * Enough of a digest to tell two texts apart. An effect keeps the whole digest, so that no second text can be made to
 * match.
 */
const DIGEST_CHARS_KEPT = 16;

export interface RecordOptions {
  readonly language: Language;
  readonly injected: number;
  readonly ms: number;
  /**
   * SHA-256 in hex, untruncated. Injected because it touches the machine; called only for long texts and objections.
   */
  readonly digest: (text: string) => string;
}

export interface MadeRecord {
  readonly record: VerdictRecord;
  readonly whole?: WholeInput;
}

export function verdictRecord(
  { event, operation, facts }: Question,
  verdict: Verdict,
  options: RecordOptions,
): MadeRecord {
  const objections = verdict.objections.map(({ policy, decision, what, fix, fault, floor }) => ({
    policy,
    decision,
    what: clip(maskText(what[options.language]), 400),
    fix: clip(maskText(fix[options.language]), 400),
    ...(fault !== undefined && { fault: clip(maskText(fault), 300) }),
    ...(floor && { floor }),
  }));
  const lifted = verdict.lifted?.map(({ objection: { policy, decision, what }, by }) => ({
    policy,
    decision,
    what: clip(maskText(what[options.language]), 200),
    by,
  }));
  const released = verdict.trace.flatMap(({ policy, released: why }) => (why ? [{ policy, why }] : []));
  const asked = verdict.trace.map(({ policy }) => policy);
  // A habit is bound to its directory, so none is learned where the directory cannot be named.
  const cwd = objections.length > 0 || lifted ? maskText(event.cwd) : event.cwd;
  const texts = textsFor(options.digest);
  const record: VerdictRecord = {
    kind: "verdict",
    event: event.name === "Unknown" ? clip(event.hostName, 60) : event.name,
    session: event.session,
    decision: verdict.decision,
    ...(event.agent && { agent: { id: clip(event.agent.id, 80), type: clip(maskText(event.agent.type), 80) } }),
    ...toolFields(event, texts.shorten),
    ...(operation && { operation: { class: operation.class, domain: operation.domain, risk: operation.risk } }),
    ...(operation && weighedIn(verdict)),
    ...(objections.length > 0 && { objections, asked, cwd }),
    ...(verdict.wayOut === "allow" && effectOf(event, options.digest)),
    ...(verdict.wayOut === "allow" &&
      verdict.decision === "ask" &&
      cwd === event.cwd &&
      questionOf(event, operation, facts)),
    ...answeredBy(verdict),
    ...(lifted && { lifted, asked, cwd }),
    ...(released.length > 0 && { released }),
    ...(verdict.changes.length > 0 && { changes: withoutSecrets(verdict.changes) }),
    ...(options.injected > 0 && { injected: options.injected }),
    ...(verdict.unbound && { unbound: true as const }),
    ms: options.ms,
  };
  return { record, ...(event.name === "PreToolUse" && { whole: texts.wholeOf(event.input, verdict) }) };
}

/** What a yes would cover. Keys with a secret in them are not kept, so the question is asked again. */
function answeredBy({ family, agreement }: Verdict): Pick<VerdictRecord, "family" | "agreement"> {
  const isKept = agreement?.every((key) => maskText(key) === key);
  return { ...(family !== undefined && { family }), ...(agreement && isKept && { agreement }) };
}

/** Words of people and agents; paths and the like are only searched for tokens, so that they stay comparable. */
const SAID: ReadonlySet<string> = new Set(["subject", "words"]);

/**
 * Changes with secrets masked, as they are kept. The root of a work tree stays as it is, because its files are looked up
 * later. Scheduled words that held a secret are unknown, and then no prompt counts as a person's.
 */
function withoutSecrets(changes: readonly Change[]): readonly Change[] {
  const json = JSON.stringify(changes);
  if (maskTokens(json) === json && ![...SAID].some((field) => json.includes(`"${field}":`))) return changes;
  return JSON.parse(json, (key, value) => {
    if (typeof value !== "string" || key === "root") return value;
    const masked = SAID.has(key) ? maskText(value) : maskTokens(value);
    return key === "words" && masked !== value ? "" : masked;
  }) as readonly Change[];
}

function weighedIn({ trace }: Verdict): Pick<VerdictRecord, "weighed"> {
  const weighed = trace.find(({ ruling }) => ruling.weighed)?.ruling.weighed;
  return weighed ? { weighed } : {};
}

function effectOf(event: HookEvent, digest: (text: string) => string): Partial<VerdictRecord> {
  const text = effectText(event);
  return text === undefined ? {} : { effect: digest(text) };
}

/** Records no shape if link targets are unknown, so that no other command counts as similar. */
function questionOf(
  event: HookEvent,
  operation: Operation | undefined,
  { targets, reached }: Gathered,
): Partial<VerdictRecord> {
  if (targets === undefined || isUnknown(targets)) return {};
  const around = reached === undefined || isUnknown(reached) ? {} : reached;
  const shape = shapeOf(event, operation, (path) => own(targets, path) ?? own(around, path) ?? path);
  return shape === undefined ? {} : { shape };
}

/** The input is stored once, at PreToolUse; the outcome is joined by the call's id. */
function toolFields(event: HookEvent, shorten: (text: string) => string): Partial<VerdictRecord> {
  if (!isToolEvent(event)) return {};
  return {
    tool: clip(maskTokens(event.tool.name), 120),
    ...(event.call !== "" && { call: clip(event.call, 120) }),
    ...(event.name === "PreToolUse" && { input: mask(event.input, shorten) }),
  };
}

interface Texts {
  readonly shorten: (text: string) => string;
  /** After the record was made. */
  readonly wholeOf: (input: unknown, verdict: Verdict) => WholeInput;
}

/** What was masked for the record is not masked again for the whole. */
function textsFor(digest: (text: string) => string): Texts {
  const masked = new Map<string, string>();
  let chars = 0;
  let isCut = false;
  return {
    shorten(text) {
      if (text.length <= TEXT_CHARS_MAX) return maskText(text);
      isCut = true;
      chars += text.length;
      // Masked before truncating, with a wide margin, so that a secret that crosses the cut is recognized.
      const head = maskText(text.slice(0, MASKED_CHARS_MAX));
      if (text.length <= MASKED_CHARS_MAX) masked.set(text, head);
      const kept = clip(head, TEXT_CHARS_KEPT);
      return `${kept}[cut, ${text.length} chars, sha256 ${digest(text).slice(0, DIGEST_CHARS_KEPT)}]`;
    },
    wholeOf: (input, { decision }) => ({
      isCut,
      text: () =>
        chars > WHOLE_CHARS_MAX ? undefined : JSON.stringify(mask(input, (text) => masked.get(text) ?? maskText(text))),
      // People look at what was refused and asked; nothing is decided by it.
      isFlushed: decision !== "pass",
    }),
  };
}
