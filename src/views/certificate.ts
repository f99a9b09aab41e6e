/** Proof of the work: each check with its command, result, time and files. */
import type { CheckedTree } from "../evidence/tree.ts";
import { type CheckState, isChanged, type Known, standingsOf } from "../evidence/verification.ts";
import { own } from "../lib/keyed.ts";
import type { CheckResult } from "../state/session/checks.ts";
import { isoTime } from "./time.ts";

export interface CertificateView {
  /** `verified`: every required check has passed for the current files. */
  readonly status: "verified" | "unverified" | "nothing to show";
  readonly claim: string;
  readonly project: string;
  readonly issued: string;
  readonly session: string | null;
  readonly digest: { readonly tree: string; readonly files: string } | null;
  readonly checks: readonly CertifiedCheck[];
  /** Runs of a package manager in this session that changed the programs of the checks. */
  readonly installs: readonly { readonly at: string; readonly command: string }[];
  /** How the last turn that changed something ended. */
  readonly lastStop: { readonly at: string; readonly verified: boolean } | null;
  readonly program: string;
}

export interface CertifiedCheck {
  readonly check: string;
  readonly standing: CheckState;
  readonly command: string;
  readonly exitCode: number | null;
  readonly started: string | null;
  readonly ended: string | null;
  readonly seconds: number | null;
  readonly tree: string | null;
  readonly files: string | null;
  readonly verifier: string | null;
  /** What changed since the session began, so that the check does not count. */
  readonly ground: string | null;
}

export function certificateView(
  tree: CheckedTree,
  known: Known,
  about: { readonly sessionId: string | undefined; readonly version: string },
): CertificateView {
  const checks = standingsOf(tree, known).map(
    ({ check, standing, command, result }): CertifiedCheck => ({
      check,
      standing,
      command: result?.command ?? command ?? "",
      exitCode: result?.exitCode ?? null,
      started: result ? isoTime(result.startedAt) : null,
      ended: result ? isoTime(result.endedAt) : null,
      seconds: result ? Math.round((result.endedAt - result.startedAt) / 100) / 10 : null,
      tree: result?.tree || null,
      files: result?.files || null,
      verifier: result ? verifierOf(result) : null,
      ground: result?.ground ?? null,
    }),
  );
  const digest = tree.digest && "tree" in tree.digest ? { tree: tree.digest.tree, files: tree.digest.files } : null;
  const settled = own(known.session.work ?? {}, tree.root)?.settled;
  const status = statusOf(checks);
  return {
    status,
    claim: claimOf(status, checks, tree, known),
    project: tree.root,
    issued: isoTime(known.now),
    session: about.sessionId ?? null,
    digest,
    checks,
    installs: (known.session.ground?.installs ?? [])
      .filter(({ root }) => root === tree.root)
      .map(({ at, command }) => ({ at: isoTime(at), command })),
    lastStop: settled ? { at: isoTime(settled.at), verified: settled.verified } : null,
    program: `sekisho ${about.version}`,
  };
}

function verifierOf({ call }: CheckResult): string {
  return call === undefined ? "run by a person (sekisho verify)" : `seen by the hook of ${call}`;
}

function statusOf(checks: readonly CertifiedCheck[]): CertificateView["status"] {
  if (checks.length === 0) return "nothing to show";
  return checks.every(({ standing }) => standing === "passed") ? "verified" : "unverified";
}

function claimOf(
  status: CertificateView["status"],
  checks: readonly CertifiedCheck[],
  tree: CheckedTree,
  { session }: Known,
): string {
  if (status === "nothing to show") return "No check of this project is known, so nothing is claimed.";
  if (status === "verified") return "The files as they stand passed every check that is asked for.";
  if (checks.some(({ standing }) => standing === "unbound"))
    return "The checks passed, but are not bound to files: the files could not be looked at.";
  return isChanged(tree, session)
    ? "Code was changed, and not every check that is asked for has passed for it."
    : "Not every check that is asked for has passed for the files as they stand.";
}

/** For a pull request or a reviewer. */
export function certificateMarkdown(view: CertificateView): string {
  const rows = view.checks.map(({ check, standing, command, exitCode, ended, files }) =>
    [
      check,
      standing,
      `\`${command.replaceAll("|", "\\|")}\``,
      exitCode ?? "–",
      ended ?? "–",
      files ? `\`${files.slice(0, 12)}\`` : "–",
    ].join(" | "),
  );
  return [
    `## Completion certificate: ${view.status}`,
    "",
    view.claim,
    "",
    ...(rows.length > 0
      ? [
          "| Check | Standing | Command | Exit code | Ended | Files |",
          "|---|---|---|---|---|---|",
          ...rows.map((row) => `| ${row} |`),
          "",
        ]
      : []),
    ...view.installs.map(
      ({ at, command }) => `Programs of the checks were installed in this session: \`${command}\`, ${at}.\n`,
    ),
    `Tree \`${view.digest?.tree ?? "unknown"}\`, files without documents \`${view.digest?.files ?? "unknown"}\`. Issued ${view.issued} by ${view.program}${view.session ? `, session ${view.session}` : ""}.`,
  ].join("\n");
}
