import { Problem } from "../../app/problem.ts";
import { here, VERSION } from "../../app/project.ts";
import {
  type MovedHooks,
  moveHooks,
  type Programs,
  programsHere,
  type VersionedProgram,
} from "../../app/setup/upgrade.ts";
import { defineCommand, jsonOption } from "../command.ts";
import { say, sayDone, sayJson, sayWords, table } from "../print.ts";

export const upgrade = defineCommand({
  name: "upgrade",
  summary: "Shows which program the hooks start, moves them to another version, and back, while sessions run.",
  options: {
    to: {
      type: "string",
      hint: "this|VERSION|PATH",
      about: "keep that program as a version and point the hooks at it (people only)",
    },
    back: { type: "boolean", about: "point the hooks at what they started before (people only)" },
    ...jsonOption,
  },
  examples: ["sekisho upgrade", "sekisho upgrade --to this", "sekisho upgrade --back"],
  door: ({ to, back }) => (to === undefined && !back ? undefined : { verb: "upgrade", need: "authority" }),
  async run({ to, back = false, json = false }, _, person) {
    if (to !== undefined && back) throw new Problem("Either --to or --back. See `sekisho upgrade --help`.");
    const place = here();
    if (to === undefined && !back) {
      const programs = programsHere(place);
      if (json) sayJson(programs);
      else printPrograms(programs);
      return 0;
    }
    const moved = await moveHooks(place, back ? "back" : { to: to ?? "this" }, person);
    if (json) sayJson(moved.map(({ file, from, to: target }) => ({ file, from: paths(from), to: paths(target) })));
    else for (const one of moved) printMoved(one);
    return 0;
  },
});

function paths({ node, bundle }: VersionedProgram) {
  return { node, bundle };
}

function printMoved({ file, from, to, isFast }: MovedHooks): void {
  const row = (word: string, { version, bundle }: VersionedProgram) => [word, version ?? "an unknown version", bundle];
  sayDone(file);
  say(table([row("was", from), row("is", to)], "    "));
  if (to.version !== VERSION)
    say(`    Whether that version wants other events, its own doctor tells: ${to.node} ${to.bundle} doctor`);
  if (isFast) say("    The gatehouse follows at the next prompt.");
  sayWords("    Sessions that are running follow within a second. `sekisho upgrade --back` returns.", "    ");
}

function printPrograms({ registered, this: own, kept }: Programs): void {
  if (registered.length === 0) say("No hook of Sekisho is registered here.");
  // Paths are long, so each gets its own row.
  const blocks = [
    ...registered.map((one) => [["Hooks in", one.file], ["  version", one.version ?? "unknown"], ...pathRows(one)]),
    [["This program", own.version ?? "unknown"], ...pathRows(own)],
    ...kept.map(({ name, bundle }) => [
      ["Kept", name],
      ["  program", bundle],
    ]),
  ];
  say(table(blocks.flatMap((rows, at) => (at === 0 ? rows : [[""], ...rows]))));
}

function pathRows({ bundle, node }: VersionedProgram): readonly (readonly string[])[] {
  return [
    ["  program", bundle],
    ["  node", node],
  ];
}
