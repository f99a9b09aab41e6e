/** The section "Trust State" of SESSION_STATE.md, which `save` writes and `load` reads. */
import { stanceInForce } from "../kernel/stance.ts";
import type { Language } from "../lib/text.ts";
import type { Settings } from "../state/settings/settings.ts";
import { knownStance, type Stance } from "../state/stance.ts";
import type { State } from "../state/state.ts";
import { type Trust, trustAt } from "../state/trust.ts";
import { trustWords } from "./import.ts";
import { isoTime } from "./time.ts";

/** The current stance and trust. */
export interface TrustState {
  readonly stance: Stance;
  readonly operations: number;
  readonly domains: readonly DomainTrust[];
  /** False: nothing was recorded yet. */
  readonly isInitialised: boolean;
}

export type DomainTrust = Pick<Trust, "score" | "successes" | "failures" | "target"> & { readonly name: string };

export interface Saved extends TrustState {
  readonly at: string;
}

/** The current values, including the loss by absence. */
export function standingNow(state: State, settings: Settings, now: number): TrustState {
  const { trust } = state;
  return {
    stance: stanceInForce(state.stance, settings).stance,
    operations: trust.operations,
    domains: Object.keys(trust.domains).map((name) => ({ name, ...trustAt(trust, name, now, settings.trust) })),
    isInitialised: trust.updatedAt !== 0,
  };
}

const BEGIN = "<!-- sekisho:trust-state, written by `sekisho save` -->";
const END = "<!-- /sekisho:trust-state -->";
/** Matches only the first word of the marker, because the rest may change. */
const BEGIN_MARK = /^<!-- sekisho:trust-state\b[^\r\n]*-->[^\S\r\n]*$/gm;
const END_MARK = /^<!-- \/sekisho:trust-state -->/gm;

export function notInitialised(language: Language): string {
  return language === "ja" ? "未初期化" : "not initialised";
}

function section(standing: TrustState, now: number, language: Language): readonly string[] {
  const domains = standing.domains.map((domain) => `- ${domain.name}=${trustWords(domain)}`);
  return [
    BEGIN,
    "## Trust State",
    "",
    `- Saved: ${isoTime(now)}`,
    `- Stance: ${standing.stance.toUpperCase()}`,
    `- Global operations: ${standing.isInitialised ? standing.operations : notInitialised(language)}`,
    ...domains,
    END,
  ];
}

/** The file with our section, replaced in place or appended. Every other byte stays unchanged. */
export function withStanding(
  before: string,
  standing: TrustState,
  now: number,
  language: Language,
): { readonly text: string } | { readonly problem: string } {
  const lineEnd = before.includes("\r\n") ? "\r\n" : "\n";
  const lines = section(standing, now, language).join(lineEnd);
  const place = placeIn(before);
  if (place === "broken") return { problem: "the marks of its Trust State section are not one pair any more" };
  if (place) return { text: before.slice(0, place.from) + lines + before.slice(place.to) };
  const gap = before === "" ? "" : before.endsWith("\n") ? lineEnd : lineEnd + lineEnd;
  return { text: `${before}${gap}${lines}${lineEnd}` };
}

/** From the start to the end of our section. */
function placeIn(text: string): { readonly from: number; readonly to: number } | "broken" | undefined {
  const [begin, ...others] = text.matchAll(BEGIN_MARK);
  const [end, ...more] = text.matchAll(END_MARK);
  if (!begin && !end) return undefined;
  if (!begin || !end || others.length + more.length > 0 || end.index < begin.index) return "broken";
  return { from: begin.index, to: end.index + END.length };
}

/** The content of our section; lines that were edited beyond recognition are skipped. */
export function savedIn(text: string): Saved | "broken" | undefined {
  const place = placeIn(text);
  if (place === undefined || place === "broken") return place;
  const lines = text.slice(place.from, place.to).split(/\r?\n/);
  const labelled = (label: string): string =>
    lines.find((line) => line.startsWith(`- ${label}: `))?.slice(label.length + 4) ?? "";
  const operations = labelled("Global operations");
  return {
    at: TIME.exec(labelled("Saved"))?.[0] ?? "",
    stance: knownStance(labelled("Stance")) ?? "auditing",
    operations: /^\d{1,15}$/.test(operations) ? Number(operations) : 0,
    isInitialised: /^\d{1,15}$/.test(operations),
    domains: lines.flatMap(domainIn),
  };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const DOMAIN =
  /^- ([A-Za-z_][\w.:-]{0,63})=([01](?:\.\d{1,20})?) \((\d{1,15})\/(\d{1,15})\)(?: \[RECOVERING → ([01](?:\.\d{1,20})?)\])?$/;

function domainIn(line: string): readonly DomainTrust[] {
  const [, name, score, successes, failures, target] = DOMAIN.exec(line) ?? [];
  if (name === undefined) return [];
  const counts = { score: Number(score), successes: Number(successes), failures: Number(failures) };
  return [{ name, ...counts, ...(target !== undefined && { target: Number(target) }) }];
}

/** The file without our section. */
export function ownWords(text: string): string {
  const place = placeIn(text);
  return place === undefined || place === "broken" ? text : text.slice(0, place.from) + text.slice(place.to);
}
