/** The environment variables that a settings file of Claude Code sets for every command. */
import { envOf } from "./disarming.ts";
import { readSettings } from "./hooks.ts";

/** An unreadable file counts as empty; the client does not take a value that is no string as it stands. */
export function variablesIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(envOf(readSettings(text) ?? {})).map(([name, value]) => [name, String(value)]),
  );
}
