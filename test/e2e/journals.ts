/** Where the journals are in a state directory. */
import { readdirSync } from "node:fs";

/** The project directories: everything except the shared ones. */
export function journalsIn(state: string): readonly string[] {
  const shared = ["code-cache", "gatehouse", "person.key", "registrations", "sessions", "versions"];
  return readdirSync(state).filter((name) => !shared.includes(name));
}
