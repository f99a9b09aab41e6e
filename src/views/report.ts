/** A verdict as text for a public report: enough to judge it, without private data. */
import { maskText } from "../lib/secrets.ts";
import type { AuditEntry } from "./audit.ts";

/** Values that must not appear in the text. */
export interface Private {
  readonly home: string;
  readonly project: string;
  readonly user: string;
  readonly machine: string;
}

export interface ReportInput {
  readonly version: string;
  readonly platform: string;
  readonly entry: AuditEntry;
  readonly own: Private;
}

export function reportText({ version, platform, entry, own }: ReportInput): string {
  const clean = (words: string): string => scrub(words, own);
  const { operation } = entry;
  return [
    "### Sekisho: a verdict that looks wrong",
    "",
    `- version ${version}, ${clean(platform)}`,
    `- ${entry.event}${entry.tool === undefined ? "" : ` of ${clean(entry.tool)}`}: **${entry.decision ?? "error"}**`,
    ...(operation ? [`- seen as ${operation.class}, domain ${operation.domain}, risk ${operation.risk}`] : []),
    ...(entry.cwd === undefined ? [] : [`- in ${clean(entry.cwd)}`]),
    "",
    ...block("json", clean(JSON.stringify(entry.input ?? null, null, 2))),
    "",
    ...entry.objections.map(({ policy, decision, what, fault }) =>
      clean(`- \`${policy}\` ${decision}: ${fault === undefined ? what : `failed: ${fault}`}`),
    ),
    ...(entry.detail === undefined ? [] : [`- ${clean(entry.detail)}`]),
    "",
    "What I expected, and why: …",
  ].join("\n");
}

/** A fence longer than any in the text, so that the text cannot end it. */
function block(language: string, words: string): readonly string[] {
  const longest = Math.max(2, ...[...words.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, words, fence];
}

/** Longer paths first, because the project may be below the home directory. */
export function scrub(words: string, { home, project, user, machine }: Private): string {
  const places = [
    [project, "<project>"],
    [home, "~"],
  ] as const;
  const named = places
    .filter(([path]) => path.length > 1)
    .sort(([a], [b]) => b.length - a.length)
    .reduce((text, [path, name]) => text.replace(wordly(path, "(?![\\w.-])"), name), maskText(words));
  return [user, machine]
    .filter((name) => name.length > 1)
    .reduce((text, name) => text.replace(wordly(name, "(?![\\w])", "(?<![\\w])"), "<private>"), named)
    .replace(/(\/(?:home|Users)\/)[^/\s"'`\\:]+/g, "$1<private>")
    .replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, "<address>");
}

function wordly(name: string, after: string, before = ""): RegExp {
  return new RegExp(before + name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + after, "g");
}
