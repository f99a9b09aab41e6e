/** Writes how trust stands into a Markdown file of the project. */
import { standingNow, withStanding } from "../../views/saved-session.ts";
import { type SessionReport, sessionReport } from "../../views/session-report.ts";
import { replaceHostFile, rewritableText } from "../../world/machine/host-file-writing.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";
import { sessionFile } from "../queries/saved-session.ts";

export function saveSession(
  { store, settings, language }: Here,
  file: string | undefined,
): { readonly path: string; readonly report: SessionReport } {
  const path = sessionFile(file);
  const state = orFail(store.read());
  const now = Date.now();
  const standing = standingNow(state, settings.settings, now);
  const before = rewritableText(path);
  const after = withStanding(before ?? "", standing, now, language);
  if ("problem" in after)
    throw new Problem(`${path} was left as it is: ${after.problem}. Remove what is left of it and save again.`);
  replaceHostFile(path, before, after.text, 0o644);
  return { path, report: sessionReport(state, standing, after.text, language) };
}
