/**
 * The policies that listen to an event, and the ids of all. For the hook the build writes this file anew
 * (`scripts/build/by-event.mjs`): there a policy loads only for its own events.
 */
import type { EventName } from "../kernel/event.ts";
import type { Policy } from "../kernel/policy.ts";
import { policies } from "./index.ts";

export function policiesOn(name: EventName): readonly Policy[] {
  return policies.filter(({ on }) => on.includes(name));
}

/** The ids that settings are checked against. */
export function lawIds(): { readonly policyIds: readonly string[]; readonly floorIds: readonly string[] } {
  return {
    policyIds: policies.map(({ id }) => id),
    floorIds: policies.filter(({ floor }) => floor).map(({ id }) => id),
  };
}
