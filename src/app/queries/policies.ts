/** The policies, and whether they are on here. */
import { own } from "../../lib/keyed.ts";
import { policies } from "../../policies/index.ts";
import { lawMarkdown } from "../../views/law.ts";
import { rewritableText } from "../../world/machine/host-file-writing.ts";
import type { Here } from "../project.ts";

export function policiesHere({ settings, language }: Here) {
  return policies.map(({ id, on, floor, optIn, why, bound }) => ({
    id,
    on,
    floor: floor === true,
    enabled: floor === true || (own(settings.settings.policies, id) ?? (optIn ? "off" : "on")) === "on",
    bound: bound ?? null,
    why: why[language],
  }));
}

/** The text of docs/policies.md. */
export function policiesPage(): string {
  return lawMarkdown(policies);
}

export function isPageCurrent(file: string): boolean {
  return rewritableText(file) === policiesPage();
}
