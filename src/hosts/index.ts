/**
 * The hosts that can be governed. No other room imports a host's folder. Each use has its own table, so that a bundle
 * includes only the part of a host that it needs; esbuild removes the rest because nothing here has side effects.
 */
import type { HostMarks } from "../world/host-layout.ts";
import { failureCode } from "./claude-code/failure.ts";
import { headless } from "./claude-code/headless.ts";
import { host } from "./claude-code/host.ts";
import { marks } from "./claude-code/layout.ts";
import { registration } from "./claude-code/registration.ts";
import { setup } from "./claude-code/setup.ts";
import { watch } from "./claude-code/watch.ts";
import type { HostHeadless } from "./headless.ts";
import type { Host } from "./host.ts";
import type { HostRegistration } from "./registration.ts";
import type { HostSetup, HostWatch } from "./setup.ts";

/** The only host so far. With a second one, `main.ts` must choose and pass it on. */
export const HOST: HostId = "claude-code";

type HostId = "claude-code";

/** For events. */
export const hosts: Record<HostId, Host> = { "claude-code": host };

/** For the launcher, when loading the rest of the program fails. */
export const failureCodes: Record<HostId, (event: string, gate: string) => 0 | 2> = { "claude-code": failureCode };

/** For recognizing a host's processes. */
export const hostMarks: Record<HostId, HostMarks> = { "claude-code": marks };

/** For the events that check on the daemon. */
export const watches: Record<HostId, HostWatch> = { "claude-code": watch };

/** For adding hooks to the host's settings and removing them. */
export const registrations: Record<HostId, HostRegistration> = { "claude-code": registration };

/** For commands. */
export const setups: Record<HostId, HostSetup> = { "claude-code": setup };

/** For runs without a terminal. */
export const headlesses: Record<HostId, HostHeadless> = { "claude-code": headless };

export { HARMLESS, KEY_HEADER, WITNESS } from "./marks.ts";
export { ON_PATH } from "./registration.ts";
