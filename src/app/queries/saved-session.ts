/** Where the work stands, and what has changed since it was saved. */
import { inline } from "../../lib/text.ts";
import { savedIn, standingNow } from "../../views/saved-session.ts";
import { changedSince, type SessionReport, sessionReport } from "../../views/session-report.ts";
import { rewritableText } from "../../world/machine/host-file-writing.ts";
import { projectFile } from "../../world/machine/project-file.ts";
import { host } from "../host.ts";
import { Problem } from "../problem.ts";
import { type Here, orFail } from "../project.ts";

export const SESSION_FILE = "SESSION_STATE.md";

/** A Markdown file of the project; without a name, the usual one. */
export function sessionFile(given: string | undefined): string {
  const file = projectFile(process.cwd(), given, SESSION_FILE, host.layout);
  if ("problem" in file) throw new Problem(`${inline(given ?? SESSION_FILE)} ${file.problem}. Nothing was done.`);
  return file.path;
}

export interface SavedSession {
  readonly path: string;
  readonly report: SessionReport;
  readonly saved:
    | { readonly is: "there"; readonly at: string; readonly changes: readonly string[] }
    /** `none`: there is no file. `absent`: it has no section of ours. `broken`: the marks of the section are damaged. */
    | { readonly is: "none" | "absent" | "broken" };
}

export function savedSessionHere({ store, settings, language }: Here, file: string | undefined): SavedSession {
  const path = sessionFile(file);
  const state = orFail(store.read());
  const standing = standingNow(state, settings.settings, Date.now());
  const text = rewritableText(path);
  const found = savedIn(text ?? "");
  const report = sessionReport(state, standing, text ?? "", language);
  if (typeof found === "object")
    return { path, report, saved: { is: "there", at: found.at, changes: changedSince(found, standing) } };
  return { path, report, saved: { is: text === undefined ? "none" : found === "broken" ? "broken" : "absent" } };
}
