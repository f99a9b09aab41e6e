import { evidenceHere } from "../app/queries/evidence.ts";
import type { EvidenceView } from "../views/evidence.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayJson, sayWords, table } from "./print.ts";

export const evidence = defineCommand({
  name: "evidence",
  summary: "Lists what was observed that counts as proof, the strongest first, and whether it still stands.",
  options: {
    session: { type: "string", hint: "id", about: "of this session; without it, the newest" },
    ...jsonOption,
  },
  examples: ["sekisho evidence", "sekisho evidence --json"],
  run({ session, json = false }) {
    const view = evidenceHere(session);
    if (json) sayJson(view);
    else print(view);
    return 0;
  },
});

function print({ session, entries }: EvidenceView): void {
  say(paint.bold(session === null ? "No session here yet" : `Session ${session}`));
  if (entries.length === 0) {
    sayWords(
      "Nothing that counts as proof has been observed. Checks count when the agent runs them alone and they pass; `sekisho verify` runs them for you.",
    );
    return;
  }
  say(
    table(
      entries.map(({ kind, about, standing, when, detail }) => [
        standing === "stands" ? paint.green("✔") : standing === "noted" ? paint.dim("·") : paint.red("✘"),
        kind,
        about,
        standing,
        when,
        paint.dim(detail),
      ]),
      "  ",
    ),
  );
}
