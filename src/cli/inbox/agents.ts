import { here } from "../../app/project.ts";
import { agentsHere } from "../../app/queries/inbox.ts";
import { inline } from "../../lib/text.ts";
import type { AgentView } from "../../views/inbox.ts";
import { columnTime } from "../../views/time.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { paint, say, sayJson, table } from "../print.ts";

export const agents = defineCommand({
  name: "agents",
  summary: "Lists the agents of this project, what they do and what waits for them.",
  options: { ...jsonOption },
  run({ json = false }) {
    const all = agentsHere(here());
    if (json) sayJson(all);
    else if (all.length === 0) say("No agent has a name here yet. Start a session with SEKISHO_AGENT=NAME.");
    else
      say(
        table([["NAME", "STATE", "REPORTS TO", "WAITING", "TASKS", "LAST SEEN (UTC)"].map(paint.dim), ...all.map(row)]),
      );
    return 0;
  },
});

function row({ name, state, supervisor, waiting, not_arrived: lost, ...agent }: AgentView): readonly string[] {
  const { tasks, last_seen: at } = agent;
  const seen = at === null ? "-" : columnTime(at);
  const waits = lost === 0 ? String(waiting) : `${waiting}, ${lost} not arrived`;
  return [paint.bold(inline(name, 40)), state, supervisor ?? "-", waits, tasks.join(" ") || "-", seen];
}
