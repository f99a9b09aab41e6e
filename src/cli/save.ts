import { host } from "../app/host.ts";
import { here, orFail } from "../app/project.ts";
import { inline } from "../lib/text.ts";
import { standingNow, withStanding } from "../views/saved-session.ts";
import { reportLines, sessionReport } from "../views/session-report.ts";
import { replaceHostFile, rewritableText } from "../world/machine/host-file-writing.ts";
import { projectFile } from "../world/machine/project-file.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { CommandError, paint, say, sayJson } from "./print.ts";

export const SESSION_FILE = "SESSION_STATE.md";

export const save = defineCommand({
  name: "save",
  summary: `Writes how trust stands into the section "Trust State" of ${SESSION_FILE}, and tells where the work stands.`,
  options: {
    file: { type: "string", hint: "FILE", about: `another Markdown file of the project (people only)` },
    ...jsonOption,
  },
  door: ({ file }) => (file === undefined ? undefined : { verb: "save --file", need: "presence" }),
  run({ file, json = false }) {
    const path = sessionFile(file);
    const { store, settings, language } = here();
    const state = orFail(store.read());
    const now = Date.now();
    const standing = standingNow(state, settings.settings, now);
    const before = rewritableText(path);
    const after = withStanding(before ?? "", standing, now, language);
    if ("problem" in after) {
      throw new CommandError(`${path} was left as it is: ${after.problem}. Remove what is left of it and save again.`);
    }
    replaceHostFile(path, before, after.text, 0o644);
    const report = sessionReport(state, standing, after.text, language);
    if (json) sayJson({ file: path, ...report });
    else {
      for (const line of reportLines(report)) say(line);
      say(`${paint.green("✔")} saved in ${path}`);
    }
    return 0;
  },
});

export function sessionFile(given: string | undefined): string {
  const file = projectFile(process.cwd(), given, SESSION_FILE, host.layout);
  if ("problem" in file) throw new CommandError(`${inline(given ?? SESSION_FILE)} ${file.problem}. Nothing was done.`);
  return file.path;
}
