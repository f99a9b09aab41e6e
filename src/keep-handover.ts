/** What a verdict asks for before the host makes a conversation shorter: that what must outlive it is written down. */
import type { Host } from "./hosts/host.ts";
import type { Question, Verdict } from "./kernel/decide.ts";
import type { Places } from "./kernel/facts.ts";
import type { RunErrand } from "./world/errand.ts";
import { writeHandover } from "./world/handover.ts";
import { handoverNow } from "./world/handover-making.ts";
import type { Environment } from "./world/places.ts";

interface Room {
  readonly places: Places;
  readonly hall: {
    readonly host: Pick<Host, "readPrompt">;
    readonly env: Environment;
    readonly run?: RunErrand;
    readonly clock: () => number;
    readonly deadline: number;
  };
  readonly started: number;
}

export function handoverIfAsked({ event, facts }: Question, { handover }: Verdict, room: Room): void {
  if (!handover || event.name !== "PreCompact" || event.session === "unknown") return;
  const { places, hall, started } = room;
  const { env, run, clock, deadline, host } = hall;
  const { project, journal } = places;
  try {
    const making = { event, facts, env, project, run, clock, deadline, started, readPrompt: host.readPrompt };
    writeHandover(journal, handoverNow(making), started);
  } catch (error) {
    // Without it the session is told less afterwards. The client goes on, and nothing of the project was touched.
    void error;
  }
}
