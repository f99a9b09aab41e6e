/** The table of checks, in display order. Checks that others depend on come first. */
import type { CheckView, Repaired } from "../../views/doctor.ts";
import type { Check, Finding, Premises } from "./check.ts";
import { canary, latency } from "./look-canary.ts";
import { gatehouse } from "./look-gatehouse.ts";
import { git } from "./look-git.ts";
import { ownGuards } from "./look-guards.ts";
import { hostLane, hostVersion } from "./look-host.ts";
import { contractFiles, installedFiles } from "./look-integrity.ts";
import { otherHooks } from "./look-other-hooks.ts";
import { passphrase } from "./look-person.ts";
import { node, program } from "./look-program.ts";
import { doubleRegistration, registration } from "./look-registration.ts";
import { disarmed, httpHooks, ownSettings, settingsRead, timeouts } from "./look-settings.ts";
import { keywordSkills } from "./look-skills.ts";
import { clock, disk, journal, stateDirectory } from "./look-state.ts";
import { worktrees } from "./look-worktrees.ts";

export const CHECKS: readonly Check[] = [
  hostVersion,
  settingsRead,
  registration,
  doubleRegistration,
  worktrees,
  program,
  node,
  git,
  installedFiles,
  disarmed,
  otherHooks,
  httpHooks,
  gatehouse,
  timeouts,
  ownSettings,
  keywordSkills,
  ownGuards,
  passphrase,
  stateDirectory,
  disk,
  clock,
  journal,
  contractFiles,
  canary,
  latency,
  hostLane,
];

/** `--fix` skips these checks: they test the whole installation, take seconds, and repair nothing. */
const PROOFS: readonly Check[] = [canary, latency, hostLane];
export const REPAIRABLE = CHECKS.filter((check) => !PROOFS.includes(check));

export interface Examined {
  readonly check: Check;
  readonly finding: Finding;
}

/** Checks run one after the other, so that one check does not distort the measurements of another. */
export async function examine(premises: Premises, checks: readonly Check[] = CHECKS): Promise<readonly Examined[]> {
  const examined: Examined[] = [];
  for (const check of checks) examined.push({ check, finding: await lookAt(check, premises) });
  return examined;
}

/** A check that throws is reported as a failed finding. */
async function lookAt(check: Check, premises: Premises): Promise<Finding> {
  try {
    return await check.look(premises);
  } catch (error) {
    return {
      state: "fail",
      what: `could not be looked at: ${error instanceof Error ? error.message : String(error)}`,
      why: "What cannot be looked at cannot be vouched for.",
      fix: "If the message does not tell what to do, this is a mistake of Sekisho's own.",
    };
  }
}

/** Repairs in table order. Each finding is checked again first, because one repair may fix several. */
export async function repairAll(examined: readonly Examined[], fresh: () => Premises): Promise<readonly Repaired[]> {
  const repaired: Repaired[] = [];
  for (const { check, finding } of examined) {
    if (!("repair" in finding)) continue;
    const again = await lookAt(check, fresh());
    if (!("repair" in again) || again.repair === undefined) continue;
    repaired.push({ id: check.id, ...(await done(again.repair)) });
  }
  return repaired;
}

async function done(repair: () => string | Promise<string>): Promise<Omit<Repaired, "id">> {
  try {
    return { ok: true, words: await repair() };
  } catch (error) {
    return { ok: false, words: error instanceof Error ? error.message : String(error) };
  }
}

export function checkView({ check, finding }: Examined): CheckView {
  const { id, title } = check;
  const { state, what, figures } = finding;
  const more = figures && { figures };
  if (!("why" in finding)) return { id, title, state, what, canFix: false, ...more };
  const { why, fix, repair } = finding;
  return { id, title, state, what, why, fix, canFix: repair !== undefined, ...more };
}
