/** Observed evidence by strength: commands, reviewers, people, skills; then changed and read files. */
import type { CheckedTree } from "../evidence/tree.ts";
import { type CheckStanding, type Known, standingsOf } from "../evidence/verification.ts";
import { own } from "../lib/keyed.ts";
import { CHECKS } from "../state/check-names.ts";
import { newProof } from "../state/session/proof.ts";
import type { Session } from "../state/session/session.ts";
import { isoTime, relativeAge } from "./time.ts";

export type EvidenceKind = "command" | "verdict" | "approval" | "skill" | "change" | "read";

export interface EvidenceEntry {
  readonly kind: EvidenceKind;
  /** 1 is strongest. */
  readonly strength: number;
  readonly about: string;
  /** `noted`: observed, but no proof by itself. Otherwise `stands`, or why it does not. */
  readonly standing: string;
  readonly when: string;
  readonly at: string | null;
  readonly detail: string;
}

export interface EvidenceView {
  readonly session: string | null;
  readonly root: string;
  readonly entries: readonly EvidenceEntry[];
}

type Evident = Known & { readonly session: Pick<Session, "proof" | "work" | "checks" | "defined" | "coverage"> };

const STRENGTH: Readonly<Record<EvidenceKind, number>> = {
  command: 1,
  verdict: 2,
  approval: 3,
  skill: 4,
  change: 5,
  read: 5,
};

export function evidenceView(tree: CheckedTree, known: Evident, session: string | undefined): EvidenceView {
  const { proof = newProof, work = {} } = known.session;
  const entry = (
    kind: EvidenceKind,
    about: string,
    standing: string,
    at: number | undefined,
    detail: string,
  ): EvidenceEntry => ({
    kind,
    strength: STRENGTH[kind],
    about,
    standing,
    when: at === undefined ? "" : relativeAge(Math.max(0, known.now - at)),
    at: at === undefined ? null : isoTime(at),
    detail,
  });
  const all = standingsOf(tree, { ...known, verify: { ...known.verify, require: CHECKS } });
  const seen = all.filter(
    ({ check, result, standing }) =>
      result !== undefined || standing === "gone" || known.verify.require.includes(check),
  );
  const changed = own(work, tree.root);
  const reads = Object.values(proof.reads);
  return {
    session: session ?? null,
    root: tree.root,
    entries: [
      ...seen.map((one) => entry("command", one.check, standsWord(one), one.result?.endedAt, commandDetail(one))),
      ...Object.entries(proof.reviews).map(([type, { at, pass, looked, files }]) => {
        const now = tree.digest && "files" in tree.digest ? tree.digest.files : undefined;
        const isOld = files !== undefined && now !== undefined && files !== now;
        return entry("verdict", type, !pass ? "failed" : isOld ? "stale" : "stands", at, `looked ${looked} time(s)`);
      }),
      ...Object.entries(proof.approvals).map(([name, at]) => entry("approval", name, "stands", at, "by a person")),
      ...Object.entries(proof.skills).map(([name, at]) => entry("skill", name, "stands", at, "taken up")),
      ...(changed?.codeAt === undefined
        ? []
        : [entry("change", "code", "noted", changed.codeAt, changed.paths.join(", "))]),
      ...(reads.length === 0 ? [] : [entry("read", `${reads.length} file(s)`, "noted", Math.max(...reads), "")]),
    ],
  };
}

function standsWord({ standing }: CheckStanding): string {
  return standing === "passed" ? "stands" : standing;
}

function commandDetail({ command, result }: CheckStanding): string {
  if (!result) return command ?? "";
  const code = result.exitCode === undefined ? "" : `, exit code ${result.exitCode}`;
  const files = result.files === "" ? "" : `, files ${result.files.slice(0, 12)}`;
  return `${result.command}${code}${files}${result.call === undefined ? ", by a person" : ""}`;
}
