/**
 * The policies that listen to an event, and the ids of all. For the hook the build writes this file anew
 * (`scripts/build/by-event.mjs`): there a policy loads only for its own events.
 */

import { CONDITIONS, type Condition } from "../kernel/conditions.ts";
import type { EventName } from "../kernel/event.ts";
import type { Policy } from "../kernel/policy.ts";
import type { Settings } from "../state/settings/settings.ts";
import { policies } from "./index.ts";

/** Without settings, also those whose feature is not in use. */
export function policiesOn(name: EventName, settings?: Settings): readonly Policy[] {
  const is = (only: Condition): boolean => settings === undefined || CONDITIONS[only](settings);
  return policies.filter(({ on, only }) => on.includes(name) && (only === undefined || is(only)));
}

/** The ids that settings are checked against. */
export function lawIds(): { readonly policyIds: readonly string[]; readonly floorIds: readonly string[] } {
  return {
    policyIds: policies.map(({ id }) => id),
    floorIds: policies.filter(({ floor }) => floor).map(({ id }) => id),
  };
}
