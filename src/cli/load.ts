import { here, orFail } from "../app/project.ts";
import { savedIn, standingNow } from "../views/saved-session.ts";
import { changedSince, reportLines, type SessionReport, sessionReport } from "../views/session-report.ts";
import { rewritableText } from "../world/machine/host-file-writing.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayJson, sayWords } from "./print.ts";
import { SESSION_FILE, sessionFile } from "./save.ts";

export const load = defineCommand({
  name: "load",
  summary: `Tells where the work stands, and what has changed since \`sekisho save\`.`,
  options: {
    file: { type: "string", hint: "FILE", about: `another Markdown file of the project than ${SESSION_FILE}` },
    ...jsonOption,
  },
  run({ file, json = false }) {
    const path = sessionFile(file);
    const { store, settings, language } = here();
    const state = orFail(store.read());
    const standing = standingNow(state, settings.settings, Date.now());
    const text = rewritableText(path);
    const saved = savedIn(text ?? "");
    const report = sessionReport(state, standing, text ?? "", language);
    const since = typeof saved === "object" ? { at: saved.at, changes: changedSince(saved, standing) } : undefined;
    if (json) sayJson({ file: text === undefined ? null : path, ...report, saved: since ?? null });
    else
      print(
        report,
        since,
        text === undefined ? `There is no ${path}: nothing was saved here yet.` : missing(path, saved),
      );
    return 0;
  },
});

interface Since {
  readonly at: string;
  readonly changes: readonly string[];
}

function missing(path: string, saved: ReturnType<typeof savedIn>): string {
  return saved === "broken"
    ? `The marks of the Trust State section in ${path} are not one pair any more: nothing was read from it.`
    : `${path} has no Trust State section: \`sekisho save\` writes one.`;
}

function print(report: SessionReport, since: Since | undefined, none: string): void {
  for (const line of reportLines(report)) say(line);
  if (!since) {
    sayWords(paint.dim(none));
    return;
  }
  const when = since.at === "" ? "it was saved" : since.at;
  say(since.changes.length === 0 ? paint.dim(`Nothing has changed since ${when}.`) : `Since ${when}:`);
  for (const change of since.changes) say(`  ${change}`);
}
