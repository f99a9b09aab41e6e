/** Result of `doctor`: every check with its state, the problem, why it matters and what to do. */
import type { Figure } from "./latency.ts";

export type CheckState = "ok" | "warn" | "fail" | "skip";

export interface CheckView {
  readonly id: string;
  readonly title: string;
  readonly state: CheckState;
  readonly what: string;
  /** Why it matters. Set only when something is wrong. */
  readonly why?: string;
  /** The remedy. Set only when something is wrong. */
  readonly fix?: string;
  /** `doctor --fix` can do it. */
  readonly canFix: boolean;
  readonly figures?: readonly Figure[];
}

/** Result of `--fix` for one check. */
export interface Repaired {
  readonly id: string;
  readonly ok: boolean;
  readonly words: string;
}

export interface DoctorView {
  readonly version: string;
  readonly project: string;
  readonly checks: readonly CheckView[];
  readonly repaired: readonly Repaired[];
  readonly counts: Readonly<Record<CheckState, number>>;
  readonly summary: string;
  /** 2 when a check failed; warnings do not count. */
  readonly exitCode: 0 | 2;
}

export function doctorView(
  about: { readonly version: string; readonly project: string },
  checks: readonly CheckView[],
  repaired: readonly Repaired[],
): DoctorView {
  const count = (state: CheckState): number => checks.filter((check) => check.state === state).length;
  const counts = { ok: count("ok"), warn: count("warn"), fail: count("fail"), skip: count("skip") };
  return { ...about, checks, repaired, counts, summary: summary(counts, checks), exitCode: counts.fail > 0 ? 2 : 0 };
}

function summary({ ok, warn, fail, skip }: DoctorView["counts"], checks: readonly CheckView[]): string {
  const parts = [
    `${ok} fine`,
    ...(warn > 0 ? [`${warn} worth a look`] : []),
    ...(fail > 0 ? [`${fail} broken`] : []),
    ...(skip > 0 ? [`${skip} skipped`] : []),
  ];
  const fixable = checks.filter(({ canFix }) => canFix).length;
  const hint = fixable > 0 ? ` \`sekisho doctor --fix\` can repair ${fixable} of them.` : "";
  return `${parts.join(", ")}.${hint}`;
}
