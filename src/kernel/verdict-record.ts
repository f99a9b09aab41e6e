/** What is kept of a verdict: enough to explain it and to join it with its outcome, and no secret. */
import { own } from "../state/keyed.ts";
import type { VerdictRecord } from "../state/record.ts";
import type { Question, Verdict } from "./decide.ts";
import { effectText } from "./effect-text.ts";
import { type HookEvent, isToolEvent } from "./event.ts";
import { type Gathered, isUnknown } from "./facts.ts";
import type { Operation } from "./operation.ts";
import { mask, maskText } from "./secrets.ts";
import { shapeOf } from "./shape.ts";
import { clip, type Language } from "./text.ts";

/** A longer text is kept as its beginning and a digest of the whole. */
const TEXT_CHARS_MAX = 700;
const TEXT_CHARS_KEPT = 400;
const MASKED_CHARS_MAX = 16_384;
/** Of a digest that only tells two texts apart. An effect keeps all of it: nobody may find a second text with the same. */
const DIGEST_CHARS_KEPT = 16;

export interface RecordOptions {
  readonly language: Language;
  readonly injected: number;
  readonly ms: number;
  /** SHA-256, whole, in hex. Injected because it touches the machine; called for long texts and objections only. */
  readonly digest: (text: string) => string;
}

export function verdictRecord(
  { event, operation, facts }: Question,
  verdict: Verdict,
  options: RecordOptions,
): VerdictRecord {
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
  return {
    kind: "verdict",
    event: event.name === "Unknown" ? clip(event.hostName, 60) : event.name,
    session: event.session,
    decision: verdict.decision,
    ...(event.agent && { agent: { id: clip(event.agent.id, 80), type: clip(event.agent.type, 80) } }),
    ...toolFields(event, options.digest),
    ...(operation && { operation: { class: operation.class, domain: operation.domain, risk: operation.risk } }),
    ...(operation && weighedIn(verdict)),
    ...(objections.length > 0 && { objections, asked, cwd: event.cwd }),
    ...(verdict.wayOut === "allow" && effectOf(event, options.digest)),
    ...(verdict.wayOut === "allow" && verdict.decision === "ask" && questionOf(event, operation, facts)),
    ...(lifted && { lifted, asked, cwd: event.cwd }),
    ...(released.length > 0 && { released }),
    ...(verdict.changes.length > 0 && { changes: verdict.changes }),
    ...(options.injected > 0 && { injected: options.injected }),
    ...(verdict.unbound && { unbound: true as const }),
    ms: options.ms,
  };
}

function weighedIn({ trace }: Verdict): Pick<VerdictRecord, "weighed"> {
  const weighed = trace.find(({ ruling }) => ruling.weighed)?.ruling.weighed;
  return weighed ? { weighed } : {};
}

function effectOf(event: HookEvent, digest: (text: string) => string): Partial<VerdictRecord> {
  const text = effectText(event);
  return text === undefined ? {} : { effect: digest(text) };
}

/** Where it is not known whither paths lead, nothing is said to be like it. */
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

/** The input is kept once, when the tool use is asked about; its outcome is joined by the call's id. */
function toolFields(event: HookEvent, digest: (text: string) => string): Partial<VerdictRecord> {
  if (!isToolEvent(event)) return {};
  return {
    tool: clip(event.tool.name, 120),
    ...(event.call !== "" && { call: clip(event.call, 120) }),
    ...(event.name === "PreToolUse" && { input: mask(event.input, (text) => shorten(text, digest)) }),
  };
}

function shorten(text: string, digest: (text: string) => string): string {
  if (text.length <= TEXT_CHARS_MAX) return maskText(text);
  // Masked before it is cut, with a wide margin: a secret that begins in what is kept must be recognised whole.
  const head = clip(maskText(text.slice(0, MASKED_CHARS_MAX)), TEXT_CHARS_KEPT);
  return `${head}[cut, ${text.length} chars, sha256 ${digest(text).slice(0, DIGEST_CHARS_KEPT)}]`;
}
