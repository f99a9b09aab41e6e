/** Examines the installation, repairs what can be repaired safely, and records the repairs. */
import { type DoctorView, doctorView, type Repaired } from "../../views/doctor.ts";
import type { Doer } from "../actions/action.ts";
import type { Premises } from "./check.ts";
import { checkView, examine, REPAIRABLE, repairAll } from "./checks.ts";
import { acceptContract } from "./look-integrity.ts";
import { premisesHere } from "./premises.ts";

type Wants = Premises["wants"];

/** `repaired`: what was repaired before. */
export async function examineHere(wants: Wants, repaired: readonly Repaired[]): Promise<DoctorView> {
  const premises = premisesHere(wants);
  const checks = (await examine(premises)).map(checkView);
  return doctorView({ version: premises.version, project: premises.places.project }, checks, repaired);
}

export async function repairHere(wants: Wants): Promise<readonly Repaired[]> {
  const fresh = (): Premises => premisesHere(wants);
  const repaired = await repairAll(await examine(fresh(), REPAIRABLE), fresh);
  const { store, now } = fresh();
  // A failed append is ignored here, because a broken journal is reported by its own check.
  for (const { id, ok, words } of repaired) {
    store.append({ kind: "action", action: ok ? "repair" : "repair-failed", detail: `${id}: ${words}` }, now);
  }
  return repaired;
}

/** Takes the contract files as they are for right. */
export function acceptContractHere(wants: Wants, doer: Doer): void {
  acceptContract(premisesHere(wants), doer);
}
