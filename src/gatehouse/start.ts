/** TODO-MERGE: a stand-in with the contract's signature; the gatehouse's own file takes its place. */
import type { Environment } from "../world/places.ts";

export type Started = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export async function startGatehouse(
  _env: Environment,
  _program: { readonly node: string; readonly bundle: string },
): Promise<Started> {
  return { ok: false, reason: "there is no gatehouse in this version" };
}

export async function stopGatehouse(_env: Environment): Promise<void> {
  await Promise.resolve();
}
