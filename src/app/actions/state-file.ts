/** After a command that may have changed where the work stands, the view of it is written again. */
import { isToWrite, writeStateFile } from "../../world/machine/state-file.ts";
import { here } from "../project.ts";
import { stateHere } from "../queries/state-file.ts";

export function refreshStateFile(): void {
  const place = here();
  if (place.settings.settings.plan.state_file !== "on") return;
  const { root, text } = stateHere(place);
  if (isToWrite(root, text)) writeStateFile(root, text);
}
