/** Sekisho as a plugin of the host, for people who do not want their settings changed. */
import type { EventName } from "../../kernel/event.ts";
import { slots } from "./hooks.ts";
import { byEvent } from "./install.ts";

/** The host substitutes the plugin's directory. Node is found on the PATH. */
const PROGRAM = { node: "node", bundle: "$" + "{CLAUDE_PLUGIN_ROOT}/dist/sekisho.cjs" };

/** The plugin's `hooks/hooks.json`: like `init`, but started from the plugin's directory. */
export function pluginHooks(events: readonly EventName[]): object {
  return { hooks: Object.fromEntries(byEvent(slots(events, PROGRAM))) };
}
