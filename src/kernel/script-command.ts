/** The heavy half of `world/scripts`: the build leaves it out of the bundle for events that are not about a shell. */
export { readScript } from "./script-reading.ts";
export { type ScriptRun, scriptRuns as findScripts } from "./script-run.ts";
