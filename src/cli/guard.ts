import { forgetGuard, trustGuard } from "../app/actions/guards.ts";
import { Problem } from "../app/problem.ts";
import { here } from "../app/project.ts";
import { type GuardView, guardsHere } from "../app/queries/guards.ts";
import { isoTime } from "../views/time.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayDone, sayJson, sayWords, table } from "./print.ts";

export const guard = defineCommand({
  name: "guard",
  summary: "Shows the project's own guards: scripts in .sekisho/guards/ that may refuse a tool use.",
  words: "[list | trust | forget] [name]",
  wordsMax: 2,
  glossary: {
    title: "Verbs",
    rows: [
      ["list", "the guards, and whether they are as you trusted them"],
      ["trust", "you have read it: it runs from now on, as long as the file stays as it is (people only)"],
      ["forget", "it runs no longer (people only)"],
    ],
  },
  options: {
    on: { type: "string", hint: "changes|all", about: "trust: which tool uses it judges (default: changes)" },
    ...jsonOption,
  },
  examples: [
    "sekisho guard",
    "sekisho guard trust no-friday",
    "sekisho guard trust no-secrets-read --on all",
    "sekisho guard forget no-friday",
  ],
  door(_, [verb]) {
    return verb === "trust" || verb === "forget" ? { verb: `guard ${verb}`, need: "authority" } : undefined;
  },
  run({ on = "changes", json = false }, [verb = "list", name], person) {
    const place = here();
    if (verb === "list") return list(guardsHere(place), json);
    if (verb !== "trust" && verb !== "forget")
      throw new Problem(`"${verb}" is none of list, trust, forget. See \`sekisho guard --help\`.`);
    if (name === undefined) throw new Problem(`Give its name, for example \`sekisho guard ${verb} no-friday\`.`);
    if (on !== "changes" && on !== "all") throw new Problem(`--on takes changes or all, not "${on}".`);
    if (verb === "forget") {
      forgetGuard(place, name, person);
      if (json) sayJson({ name, state: "untrusted" });
      else sayDone(`The guard ${name} runs no longer.`);
      return 0;
    }
    const view = trustGuard(place, name, on, person);
    if (json) sayJson(view);
    else sayDone(`The guard ${name} is trusted as it is now, and judges ${SCOPE[on]}.`);
    return 0;
  },
});

const SCOPE = { changes: "every tool use that may change something", all: "every tool use" } as const;

const STATES: Readonly<Record<GuardView["state"], string>> = {
  trusted: "trusted",
  untrusted: "not trusted, so not run",
  changed: "changed since you trusted it: changes are refused",
  missing: "missing: changes are refused",
  "not-executable": "not executable: changes are refused",
};

/** The exit code tells scripts that a trusted guard does not run. */
function list(guards: readonly GuardView[], json: boolean): number {
  if (json) sayJson(guards);
  else if (guards.length === 0)
    sayWords("There is no guard in .sekisho/guards/. docs/guards.md says how to write one.");
  else say(table(guards.map(row)));
  return guards.some(({ state }) => state !== "trusted" && state !== "untrusted") ? 2 : 0;
}

function row({ name, state, on, trustedAt }: GuardView): readonly string[] {
  const since = trustedAt === undefined ? "" : `since ${isoTime(trustedAt)}`;
  const words = state === "trusted" ? STATES[state] : paint.yellow(STATES[state]);
  return [name, words, on ?? "", since];
}
