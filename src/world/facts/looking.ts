/** What the facts about checks are looked up with. */
import type { HookEvent } from "../../kernel/event.ts";
import { type Facts, isUnknown, type Unknown } from "../../kernel/facts.ts";
import { own } from "../../lib/keyed.ts";
import type { Operation } from "../../reading/operation/operation.ts";
import type { Session } from "../../state/session/session.ts";
import type { Settings } from "../../state/settings/settings.ts";
import type { State } from "../../state/state.ts";
import type { LookingHost } from "../host.ts";
import type { Environment } from "../machine/places.ts";

export interface Looking {
  readonly host: Pick<LookingHost, "shellFiles" | "shellSetup" | "checkVariables" | "layout" | "traits">;
  readonly event: HookEvent;
  readonly operation: Operation | undefined;
  readonly env: Environment;
  readonly places: Facts["places"];
  readonly settings: Settings;
  readonly state: State | Unknown;
  readonly digest?: (text: string) => string;
  readonly deadline: number;
  readonly clock: () => number;
}

export function sessionOf({ state, event }: Looking): Session | Unknown | undefined {
  return isUnknown(state) ? state : own(state.sessions, event.session);
}
