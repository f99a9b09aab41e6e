/** Trust for people: one domain in detail, or all of them in a table. */
import { autonomyOf, type Grade, gradeOf } from "../kernel/autonomy.ts";
import { type DomainAccess, stanceInForce, standingOf } from "../kernel/stance.ts";
import { atGate } from "../kernel/weighing.ts";
import { own } from "../lib/keyed.ts";
import { isDomain, type Risk } from "../reading/operation/domain.ts";
import type { Settings } from "../state/settings/settings.ts";
import type { Stance } from "../state/stance.ts";
import type { State } from "../state/state.ts";
import { FALLBACK, type Trust, type TrustLedger, trustAt } from "../state/trust.ts";
import { scoreBar } from "./score-drawing.ts";
import { relativeAge } from "./time.ts";
import { type DomainScore, domainScore } from "./trust-scores.ts";

type Weights = Pick<Settings, "trust" | "risk" | "autonomy">;

interface Estimate {
  readonly autonomy: number;
  /** By the formula alone. */
  readonly decision: Grade;
  /** The real answer, which also depends on the stance, its gate and the settings. */
  readonly answer: Answer;
}

/** `asked if lasting`: only about effects beyond the project that can't be undone, and about commands that can't be read. */
export type Answer = "passes" | "answered for you" | "asked" | "asked if lasting" | "closed";

export interface DomainView extends DomainScore {
  readonly domain: string;
  /** False: there are no records yet, and this is the starting score. */
  readonly recorded: boolean;
  readonly bar: string;
  readonly last_operated: string;
  /** The stance and its rule for this domain, independent of trust. */
  readonly stance: Stance;
  readonly standing: DomainAccess;
  /** The answer to an attempt now, by risk. */
  readonly autonomy: Readonly<Record<Exclude<Risk, "critical">, Estimate>> & {
    readonly critical: { readonly decision: "blocked" };
  };
}

/** Undefined for an unknown domain. */
export function domainView(
  domain: string,
  { trust: ledger, stance: set }: Pick<State, "trust" | "stance">,
  settings: Settings,
  now: number,
): DomainView | undefined {
  const recorded = Object.hasOwn(ledger.domains, domain);
  if (!recorded && !isDomain(domain)) return undefined;
  const trust = trustAt(ledger, domain, now, settings.trust);
  const inForce = stanceInForce(set, settings);
  const { stance } = inForce;
  const facts = { trust: ledger, settings, stance: inForce, now };
  const estimate = (risk: Risk): Estimate => {
    const autonomy = autonomyOf(trust.score, risk, settings.risk);
    return { autonomy, decision: gradeOf(autonomy, risk, settings.autonomy), answer: answerTo(domain, risk, facts) };
  };
  return {
    domain,
    recorded,
    bar: scoreBar(trust.score),
    ...domainScore(trust),
    last_operated: recorded ? operatedAge(now - trust.lastAt) : "never",
    stance,
    standing: standingOf(stance, domain, settings.profile),
    autonomy: {
      low: estimate("low"),
      medium: estimate("medium"),
      high: estimate("high"),
      critical: { decision: "blocked" },
    },
  };
}

type Known = Parameters<typeof atGate>[1];

function answerTo(domain: string, risk: Risk, facts: Known): Answer {
  const { settings, stance } = facts;
  const isOn = (policy: string): boolean => own(settings.policies, policy) !== "off";
  const standing = standingOf(stance.stance, domain, settings.profile);
  if (standing === "denied" && isOn("no-tool-outside-stance")) return "closed";
  if (!isOn("require-trust")) return "passes";
  const { grade } = atGate({ domain, risk }, facts);
  if (grade === "human_required") return "asked";
  if (risk === "high" && atGate({ domain, risk, worthAsking: "beyond" }, facts).grade === "human_required")
    return "asked if lasting";
  return grade === "auto_approved" && settings.trust.approve ? "answered for you" : "passes";
}

/** Work comes in bursts, so ages below a minute show no seconds. */
function operatedAge(ms: number): string {
  return ms < 60_000 ? "just now" : relativeAge(ms);
}

export interface TrustRow {
  readonly domain: string;
  readonly bar: string;
  readonly score: number;
  readonly operations: number;
  /** Decision for an attempt of medium risk: by the formula, and with the stance and the settings. */
  readonly status: Grade;
  readonly answer: Answer;
}

/** Most trusted first. The fallback is not a kind of work and is left out. */
export function trustRows(
  { trust: ledger, stance }: Pick<State, "trust" | "stance">,
  settings: Settings,
  now: number,
): readonly TrustRow[] {
  const facts = { trust: ledger, settings, stance: stanceInForce(stance, settings), now };
  return byScore(ledger, settings, now)
    .filter(({ domain }) => domain !== FALLBACK)
    .map(({ domain, trust: { score, operations } }) => ({
      domain,
      bar: scoreBar(score),
      score,
      operations,
      status: gradeOf(autonomyOf(score, "medium", settings.risk), "medium", settings.autonomy),
      answer: answerTo(domain, "medium", facts),
    }));
}

export interface LedgerRow {
  readonly domain: string;
  readonly bar: string;
  readonly score: number;
  readonly successes: number;
  readonly failures: number;
  readonly lastOperated: string;
  readonly note: string;
}

/** Every recorded domain, including the fallback once something was counted there. */
export function ledgerRows(ledger: TrustLedger, settings: Weights, now: number): readonly LedgerRow[] {
  return byScore(ledger, settings, now).map(({ domain, trust }) => ({
    domain,
    bar: scoreBar(trust.score),
    score: trust.score,
    successes: trust.successes,
    failures: trust.failures,
    lastOperated: operatedAge(now - trust.lastAt),
    note: noteOn(trust),
  }));
}

function noteOn({ target, warmup, consecutiveFailures }: Trust): string {
  return [
    ...(target === undefined ? [] : [`recovering -> ${target}`]),
    ...(consecutiveFailures > 1 ? [`${consecutiveFailures} failures in a row`] : []),
    ...(warmup > 0 ? [`warming up, ${warmup} left`] : []),
  ].join(", ");
}

function byScore({ domains }: TrustLedger, { trust: rates }: Weights, now: number) {
  return Object.keys(domains)
    .map((domain) => ({ domain, trust: trustAt({ domains }, domain, now, rates) }))
    .sort((a, b) => b.trust.score - a.trust.score || (a.domain < b.domain ? -1 : 1));
}
