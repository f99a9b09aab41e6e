import { pruneOld } from "../app/actions/prune.ts";
import type { Person } from "../app/person.ts";
import { Problem } from "../app/problem.ts";
import { here } from "../app/project.ts";
import { type JournalReport, journalReport, trailOf, withWholeInput } from "../app/queries/entries.ts";
import { inline } from "../lib/text.ts";
import { type AuditEntry, type AuditFilter, subject, TRAIL_KINDS } from "../views/audit.ts";
import { auditLine } from "../views/audit-line.ts";
import { VOID_WORDS } from "../views/signature.ts";
import { columnTime, isoTime } from "../views/time.ts";
import { defineCommand, jsonOption } from "./command.ts";
import { clip, paint, paintDecision, say, sayJson, table, terminalColumns, width } from "./print.ts";

const TAIL_DEFAULT = 20;

export const audit = defineCommand({
  name: "audit",
  summary: "Shows the trail of this project: every attempted action and what came of it.",
  words: "[verify|prune]",
  wordsMax: 1,
  options: {
    tail: {
      type: "string",
      hint: "N",
      about: `the last N entries (default ${TAIL_DEFAULT}; all with --date or --json)`,
    },
    date: { type: "string", hint: "YYYY-MM-DD", about: "one day, in UTC" },
    kind: {
      type: "string",
      hint: "KIND",
      about:
        "call, invalid, question, refusal, stop-block, released, mode, config-veto, error, action, gap, event or all",
    },
    whole: { type: "boolean", about: "with --json: all of each tool's input, however long" },
    ...jsonOption,
  },
  examples: [
    "sekisho audit --kind refusal",
    "sekisho audit --date 2026-11-15 --json",
    "sekisho audit verify",
    "sekisho audit prune",
  ],
  door: (_, [word]) => (word === "prune" ? { verb: "audit prune", need: "authority" } : undefined),
  run({ tail, date, kind, json, whole }, [word], person) {
    if (word === "verify") return verify(json === true);
    if (word === "prune") return prune(json === true, person);
    if (word !== undefined) throw new Problem(`"${word}" is neither verify nor prune. See \`sekisho audit --help\`.`);
    const filter = filterFrom(tail, date, kind, json === true);
    const place = here();
    const entries = trailOf(place, filter, { withTrust: json === true });
    const shown = (entry: AuditEntry): AuditEntry => (whole ? withWholeInput(place, entry) : entry);
    if (json) for (const entry of entries) say(JSON.stringify(auditLine(shown(entry))));
    else print(entries);
    return 0;
  },
});

type Word = string | undefined;

function filterFrom(tail: Word, date: Word, kind: Word, json: boolean): AuditFilter {
  if (date !== undefined && !isDate(date)) {
    throw new Problem(`--date takes YYYY-MM-DD, not "${date}".`);
  }
  if (kind !== undefined && kind !== "all" && kind !== "event" && !(TRAIL_KINDS as readonly string[]).includes(kind)) {
    throw new Problem(`--kind is ${TRAIL_KINDS.join(", ")}, event or all, not "${kind}".`);
  }
  const isShort = date === undefined && !json;
  const count = tail === undefined ? (isShort ? TAIL_DEFAULT : undefined) : positive(tail);
  return {
    ...(count !== undefined && { tail: count }),
    ...(date !== undefined && { date }),
    ...(kind !== undefined && { kind }),
  };
}

function isDate(value: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && isoTime(at).startsWith(value);
}

function positive(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new Problem(`--tail takes a whole number from 1, not "${value}".`);
  return count;
}

function print(entries: readonly AuditEntry[]): void {
  if (entries.length === 0) {
    say("Nothing here yet.");
    return;
  }
  const pending = entries.filter(({ outcome }) => outcome === "pending" || outcome === "running").length;
  say(`${entries.length} ${entries.length === 1 ? "entry" : "entries"}, ${pending} pending`);
  const head = ["TIME (UTC)", "VERDICT", "OUTCOME", "WHAT", "ID"].map((cell) => paint.dim(cell));
  const room = roomForWhat(entries);
  say(table([head, ...entries.map((entry) => row(entry, room))]));
}

const WHAT_MAX = 70;
const WHAT_MIN = 20;

/** The width the other columns leave; `explain` shows the full text. */
function roomForWhat(entries: readonly AuditEntry[]): number {
  if (!process.stdout.isTTY) return WHAT_MAX;
  const others = entries.map((entry) => width(row(entry, 0).join("  ")));
  const headless = width(["YYYY-MM-DD HH:MM:SS", "VERDICT", "OUTCOME", "", ""].join("  "));
  const widestId = Math.max(...entries.map(({ id }) => id.length));
  return Math.max(WHAT_MIN, Math.min(WHAT_MAX, terminalColumns() - Math.max(headless + widestId, ...others)));
}

function row(entry: AuditEntry, room: number): readonly string[] {
  return [
    columnTime(isoTime(entry.at)),
    entry.kind === "gap"
      ? paint.red(entry.kind)
      : entry.decision
        ? paintDecision(entry.decision, verdictWord(entry))
        : paint.dim(entry.kind),
    `${entry.outcome ?? ""}${entry.exitCode ? ` (${entry.exitCode})` : ""}`,
    clip((subject(entry) + held(entry)).replace(/\s+/g, " "), room),
    paint.dim(entry.id),
  ];
}

/** A refused end of turn has no command, so the row shows the objection instead. */
function held({ kind, objections }: AuditEntry): string {
  const [first] = kind === "stop-block" ? objections : [];
  return first ? ` ${first.what}` : "";
}

/** Distinguishes a pass that a person's grant or pause allowed from one without objections. */
function verdictWord({ decision, lifted, kind }: AuditEntry): string | undefined {
  if (kind === "released" || kind === "mode") return kind;
  const by = lifted?.[0]?.by;
  return by === undefined ? decision : by === "pause" ? "paused" : "allowed";
}

function verify(json: boolean): number {
  const report = journalReport(here());
  if (json) sayJson(report);
  else printReport(report);
  const isSound = report.integrity === "intact" && report.voided.length === 0 && report.unwitnessed.length === 0;
  return isSound ? 0 : 2;
}

function printReport(report: JournalReport): void {
  const good = report.integrity === "intact";
  say(
    `The journal is ${good ? paint.green("intact") : paint.red(report.integrity)}: ${report.records} records in ${report.segments.length} segment(s), ${report.unsealed} not yet sealed.`,
  );
  say(`Head of the seals: ${report.head}`);
  const notable = report.segments.filter(({ integrity }) => integrity !== "intact");
  if (notable.length > 0)
    say(table(notable.map(({ segment, integrity, detail }) => [`  segment ${segment}`, paint.red(integrity), detail])));
  if (report.voided.length > 0) {
    say(`${paint.red("Not signed by you")}, so these records grant nothing:`);
    say(table(report.voided.map(({ rid, at, action, why }) => [`  ${rid}`, isoTime(at), action, VOID_WORDS[why]])));
  }
  if (report.unwitnessed.length === 0) return;
  say(`${paint.red("Not in the transcript")}: these records claim what the session never did:`);
  say(table(report.unwitnessed.map(({ rid, at, command }) => [`  ${rid}`, isoTime(at), inline(command, 60)])));
}

function prune(json: boolean, person: Person): number {
  const place = here();
  const { removed, snapshots, blobs } = pruneOld(place, person);
  const { audit: kept, undo } = place.settings.settings;
  if (json) sayJson({ removed, snapshots, blobs });
  else {
    say(`${removed} segment(s) beyond ${kept.retention_days} days or ${kept.max_megabytes} MB removed.`);
    if (snapshots > 0)
      say(`${snapshots} snapshot(s) beyond ${undo.retention_days} days or ${undo.max_megabytes} MB removed.`);
    if (blobs > 0) say(`${blobs} long text(s) that no record names any more removed.`);
  }
  return 0;
}
