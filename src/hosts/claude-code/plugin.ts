/** Sekisho as a plugin of the client, for those who would rather not have their settings written to. */
import type { EventName } from "../../kernel/event.ts";
import { slots } from "./hooks.ts";
import { byEvent } from "./install.ts";

/** The client puts the plugin's own directory there, wherever it lies. Node is the one on the PATH. */
const PROGRAM = { node: "node", bundle: "$" + "{CLAUDE_PLUGIN_ROOT}/dist/sekisho.cjs" };

/** The plugin's `hooks/hooks.json`: what `init` would write, started from the plugin's own directory. */
export function pluginHooks(events: readonly EventName[]): object {
  return { hooks: Object.fromEntries(byEvent(slots(events, PROGRAM))) };
}
