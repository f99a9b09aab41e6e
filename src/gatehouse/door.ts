/** TODO-MERGE: a stand-in with the contract's signature; the gatehouse's own file takes its place. */
import type { Door } from "../hosts/claude-code/hooks.ts";
import type { Environment } from "../world/places.ts";

export async function moveDoor(_env: Environment): Promise<Door> {
  throw new Error("there is no gatehouse in this version");
}
