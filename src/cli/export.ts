import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { FORMATS, formatNamed, KINDS } from "../app/actions/formats.ts";
import { here, orFail } from "../app/project.ts";
import { inline } from "../lib/text.ts";
import { defineCommand } from "./command.ts";
import { CommandError, paint, say } from "./print.ts";

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
    if (kind === undefined) throw new CommandError(`Give a kind: ${KINDS}.`);
    const format = formatNamed(kind);
    const { store, settings } = here();
    const text = format.write({ state: orFail(store.read()), settings: settings.settings, now: Date.now() });
    if (out === undefined) process.stdout.write(text);
    else writeNew(out, text);
    return 0;
  },
});

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(resolve(file), text, { flag: "wx", mode: 0o644 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "it is there already; give another name or remove it" : message;
    throw new CommandError(`${inline(file)} was not written: ${why}.`);
  }
  say(`${paint.green("✔")} written: ${inline(file, 500)}`);
}
