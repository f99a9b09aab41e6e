import { claimFiles, releaseFiles } from "../../app/actions/claims.ts";
import { Problem } from "../../app/problem.ts";
import { here } from "../../app/project.ts";
import { claimsHere } from "../../app/queries/claims.ts";
import { agentsHere, waitingForPerson, whereOff } from "../../app/queries/inbox.ts";
import { inline } from "../../lib/text.ts";
import type { AgentView } from "../../views/inbox.ts";
import { columnTime } from "../../views/time.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { paint, say, sayDone, sayJson, table } from "../print.ts";

export const agents = defineCommand({
  name: "agents",
  summary: "Lists the agents of this project, and the files that they work on.",
  words: "[list | claims | claim PATTERN | release [PATTERN]]",
  wordsMax: 2,
  glossary: {
    title: "Verbs",
    rows: [
      ["list", "what they do and what waits for them"],
      ["claims", "files that running sessions have reserved, or changed and not committed"],
      ["claim PATTERN", "reserves files for this session, such as src/login/**, until they are committed or it ends"],
      ["release [PATTERN]", "gives back what this session has reserved or changed"],
    ],
  },
  options: { ...jsonOption },
  examples: ["sekisho agents", "sekisho agents claim 'src/login/**'", "sekisho agents release"],
  run({ json = false }, [verb = "list", pattern]) {
    switch (verb) {
      case "list":
        return list(json);
      case "claims":
        return listClaims(json);
      case "claim":
        return claim(pattern ?? "", json);
      case "release":
        return release(pattern, json);
      default:
        throw new Problem(`"${inline(verb, 40)}" is none of list, claims, claim, release.`);
    }
  },
});

function list(json: boolean): number {
  const place = here();
  const all = agentsHere(place);
  if (json) sayJson(all);
  else if (all.length === 0)
    say(whereOff(place).trim() || "No agent has a name here yet. Start a session with SEKISHO_AGENT=NAME.");
  else
    say(
      table([["NAME", "STATE", "REPORTS TO", "WAITING", "TASKS", "LAST SEEN (UTC)"].map(paint.dim), ...all.map(row)]),
    );
  const mine = json ? 0 : waitingForPerson(place);
  if (mine > 0) say(`\n${mine} message${mine === 1 ? "" : "s"} for the person: \`sekisho inbox read\`.`);
  return 0;
}

function listClaims(json: boolean): number {
  const all = claimsHere(here());
  if (json) sayJson(all);
  else if (all.length === 0) say("No running session has reserved a file or has uncommitted changes.");
  else {
    const rows = all.map(({ files, holder, how, since }) => [
      paint.bold(inline(files, 60)),
      inline(holder, 40),
      how,
      columnTime(since),
    ]);
    say(table([["FILES", "AGENT", "HOW", "SINCE (UTC)"].map(paint.dim), ...rows]));
  }
  return 0;
}

function claim(pattern: string, json: boolean): number {
  const taken = claimFiles(here(), pattern);
  if (json) sayJson(taken);
  else
    sayDone(`Reserved for ${inline(taken.holder, 40)}: ${inline(taken.files)}. Others are told when they write there.`);
  return 0;
}

function release(pattern: string | undefined, json: boolean): number {
  const freed = releaseFiles(here(), pattern);
  if (json) sayJson(freed);
  else sayDone(`Released: ${inline(freed.released)}.`);
  return 0;
}

function row({ name, state, supervisor, waiting, not_arrived: lost, ...agent }: AgentView): readonly string[] {
  const { tasks, last_seen: at } = agent;
  const seen = at === null ? "-" : columnTime(at);
  const waits = lost === 0 ? String(waiting) : `${waiting}, ${lost} not arrived`;
  return [paint.bold(inline(name, 40)), state, supervisor ?? "-", waits, tasks.join(" ") || "-", seen];
}
