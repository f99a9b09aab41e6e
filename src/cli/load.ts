import { here } from "../app/project.ts";
import { type SavedSession, SESSION_FILE, savedSessionHere } from "../app/queries/saved-session.ts";
import { reportLines } from "../views/session-report.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayJson, sayWords } from "./print.ts";

export const load = defineCommand({
  name: "load",
  summary: `Tells where the work stands, and what has changed since \`sekisho save\`.`,
  options: {
    file: { type: "string", hint: "FILE", about: `another Markdown file of the project than ${SESSION_FILE}` },
    ...jsonOption,
  },
  run({ file, json = false }) {
    const session = savedSessionHere(here(), file);
    if (json) printJson(session);
    else print(session);
    return 0;
  },
});

function printJson({ path, report, saved }: SavedSession): void {
  const since = saved.is === "there" ? { at: saved.at, changes: saved.changes } : null;
  sayJson({ file: saved.is === "none" ? null : path, ...report, saved: since });
}

const MISSING = {
  none: (path: string) => `There is no ${path}: nothing was saved here yet.`,
  absent: (path: string) => `${path} has no Trust State section: \`sekisho save\` writes one.`,
  broken: (path: string) =>
    `The marks of the Trust State section in ${path} are not one pair any more: nothing was read from it.`,
};

function print({ path, report, saved }: SavedSession): void {
  for (const line of reportLines(report)) say(line);
  if (saved.is !== "there") {
    sayWords(paint.dim(MISSING[saved.is](path)));
    return;
  }
  const when = saved.at === "" ? "it was saved" : saved.at;
  say(saved.changes.length === 0 ? paint.dim(`Nothing has changed since ${when}.`) : `Since ${when}:`);
  for (const change of saved.changes) say(`  ${change}`);
}
