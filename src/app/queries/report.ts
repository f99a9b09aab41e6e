/** A verdict as text to paste, without paths, names and secrets. */
import { hostname, userInfo } from "node:os";
import { reportText } from "../../views/report.ts";
import { type Here, VERSION } from "../project.ts";
import { entriesOf, entryNamed } from "./entries.ts";

export function reportOn(place: Here, id: string): string {
  const { home, project } = place.places;
  return reportText({
    version: VERSION,
    platform: `${process.platform}, Node ${process.versions.node}`,
    entry: entryNamed(entriesOf(place), id),
    own: { home, project, user: userInfo().username, machine: hostname() },
  });
}
