import { Problem } from "../app/problem.ts";
import { certificateHere } from "../app/queries/certificate.ts";
import { type CertificateView, type CertifiedCheck, certificateMarkdown } from "../views/certificate.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { paint, say, sayJson, sayWords, table } from "./print.ts";

export const certificate = defineCommand({
  name: "certificate",
  summary: "Shows what is proven of the work as it stands: checks, commands, exit codes, times and digests.",
  options: {
    session: { type: "string", hint: "id", about: "of this session; without it, the newest" },
    markdown: { type: "boolean", about: "print Markdown, for a pull request" },
    ...jsonOption,
  },
  examples: ["sekisho certificate", "sekisho certificate --markdown", "sekisho certificate --json"],
  run({ session, markdown = false, json = false }) {
    if (markdown && json) throw new Problem("Either --markdown or --json, not both.");
    const view = certificateHere(session);
    if (json) sayJson(view);
    else if (markdown) say(certificateMarkdown(view));
    else print(view);
    return view.status === "unverified" ? 2 : 0;
  },
});

function print({ status, claim, project, digest, checks, installs, lastStop, session }: CertificateView): void {
  const mark =
    status === "verified" ? paint.green("✔ verified") : status === "unverified" ? paint.red("✘ unverified") : status;
  say(`${paint.bold("Completion certificate")}  ${mark}`);
  sayWords(claim);
  if (checks.length > 0) {
    say();
    const heads = table(checks.map(headOf), "  ").split("\n");
    for (const [at, check] of checks.entries()) printCheck(heads[at] ?? "", check);
  }
  say();
  say(
    table(
      [
        ["Project", project],
        ["Tree", digest?.tree ?? "unknown"],
        ["Files", digest ? `${digest.files} (documents left out)` : "unknown"],
        ...installs.map(({ at, command }) => ["Installed", `${command}, ${at}`]),
        ["Session", session ?? "none"],
        [
          "Last turn",
          lastStop ? `${lastStop.at}, ${lastStop.verified ? "verified" : "unverified"}` : "none that changed anything",
        ],
      ],
      "  ",
    ),
  );
}

/** The command is not the last cell, so the table does not wrap it and it can be copied. */
function headOf({ check, standing, command, exitCode }: CertifiedCheck): readonly string[] {
  const mark = standing === "passed" ? paint.green("✔") : paint.red("✘");
  const code = exitCode === null ? "" : `, exit code ${exitCode}`;
  return [`${mark} ${paint.bold(check)}`, `${standing}${code}`, command, ""];
}

function printCheck(head: string, { ended, files, verifier, ground }: CertifiedCheck): void {
  say(head);
  if (ground !== null) say(paint.dim(`      ${ground} changed since the session began`));
  const rest = [ended, verifier, files === null ? undefined : `files ${files.slice(0, 12)}`].filter(Boolean);
  if (rest.length > 0) say(paint.dim(`      ${rest.join(", ")}`));
}
