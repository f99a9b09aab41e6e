/** Our hooks in Claude Code's settings files. */
import type { HostRegistration } from "../registration.ts";
import { slotName, slots } from "./hooks.ts";
import { withOurs, withoutOurs } from "./install.ts";
import { foreignHooksIn, movedTo, pointedTo, registrationIn } from "./registered.ts";

export const registration: HostRegistration = {
  slots,
  slotName,
  withOurs,
  withoutOurs,
  registrationIn,
  foreignHooksIn,
  pointedTo,
  movedTo,
};
