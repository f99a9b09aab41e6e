/** Who decides a check, by its name. A name that is not here is looked at by an agent. */
import { CHECKS, type CheckName } from "../state/check-names.ts";
import type { GateCheck, Verifier } from "./definition.ts";

const BY_EVIDENCE: Readonly<Record<string, readonly CheckName[]>> = {
  ...Object.fromEntries(CHECKS.map((name) => [name, [name]])),
  lint_analyze: ["lint", "typecheck"],
  static_analysis: ["lint", "typecheck"],
  types: ["typecheck"],
  type_check: ["typecheck"],
  tests: ["test"],
  strict_build: ["build"],
  security_scan: ["security"],
};

const BY_CONTRACT: Readonly<Record<string, Verifier>> = {
  machine_items_via_evidence_cache: "machine",
  machine_items_via_evidence: "machine",
  machine_items: "machine",
  ai_items_via_code_scan: "ai",
  ai_items: "ai",
  human_items_via_user: "human",
  human_items: "human",
};

export function gateCheck(name: string): GateCheck {
  const checks = Object.hasOwn(BY_EVIDENCE, name) ? BY_EVIDENCE[name] : undefined;
  if (checks) return { name, by: "evidence", checks };
  const items = Object.hasOwn(BY_CONTRACT, name) ? BY_CONTRACT[name] : undefined;
  return items ? { name, by: "dod", items } : { name, by: "agent" };
}
