import { saveSession } from "../app/actions/save.ts";
import { here } from "../app/project.ts";
import { SESSION_FILE } from "../app/queries/saved-session.ts";
import { reportLines } from "../views/session-report.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { say, sayDone, sayJson } from "./print.ts";

export const save = defineCommand({
  name: "save",
  summary: `Writes how trust stands into the section "Trust State" of ${SESSION_FILE}, and tells where the work stands.`,
  options: {
    file: { type: "string", hint: "FILE", about: `another Markdown file of the project (people only)` },
    ...jsonOption,
  },
  door: ({ file }) => (file === undefined ? undefined : { verb: "save --file", need: "presence" }),
  run({ file, json = false }) {
    const { path, report } = saveSession(here(), file);
    if (json) sayJson({ file: path, ...report });
    else {
      for (const line of reportLines(report)) say(line);
      sayDone(`saved in ${path}`);
    }
    return 0;
  },
});
