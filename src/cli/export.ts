import { exportText, exportTo } from "../app/actions/export.ts";
import { FORMATS, KINDS } from "../app/actions/formats.ts";
import { Problem } from "../app/problem.ts";
import { here } from "../app/project.ts";
import { inline } from "../lib/text.ts";
import { defineCommand } from "./command.ts";
import { sayDone } from "./print.ts";

export const exportFile = defineCommand({
  name: "export",
  summary: "Prints what is here in the format of another harness.",
  words: "<kind>",
  wordsMax: 1,
  options: {
    out: { type: "string", hint: "FILE", about: "write it to a new file instead (people only)" },
  },
  examples: FORMATS.map(({ kind, about }) => `sekisho export ${kind}   # ${about}`),
  // An agent must redirect the output instead, so that the file policies see the target.
  door: ({ out }) => (out === undefined ? undefined : { verb: "export --out", need: "presence" }),
  run({ out }, [kind]) {
    if (kind === undefined) throw new Problem(`Give a kind: ${KINDS}.`);
    if (out === undefined) process.stdout.write(exportText(here(), kind));
    else {
      exportTo(out, here(), kind);
      sayDone(`written: ${inline(out, 500)}`);
    }
    return 0;
  },
});
