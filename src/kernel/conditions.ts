/** What must be switched on before a policy has anything to say. Most projects use none of it, and then pay nothing. */
import type { Settings } from "../state/settings/settings.ts";

export const CONDITIONS = {
  plans: ({ plan }) => plan.required !== "off",
  growth: ({ plan }) => plan.required === "auto",
  roles: ({ roles }) => roles.preset !== "off",
} as const satisfies Record<string, (settings: Settings) => boolean>;

export type Condition = keyof typeof CONDITIONS;
