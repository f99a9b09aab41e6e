/** TODO-MERGE: a stand-in with the contract's signature; the gatehouse's own file takes its place. */
import type { Environment } from "../world/places.ts";

export interface Probe {
  readonly state: "none" | "up" | "down" | "stranger" | "other-version";
  readonly detail: string;
  readonly port?: number;
  readonly pid?: number;
  readonly version?: string;
  readonly ms?: number;
}

export async function probeGatehouse(
  _env: Environment,
  _options: { readonly timeoutMs?: number } = {},
): Promise<Probe> {
  return { state: "none", detail: "there is no gatehouse in this version" };
}
