/** The commands that read a state directory, and the part of their output that must be the same in every version. */
import { FILLERS } from "./fill.mjs";
import { PROJECT, PRUNED, runProgram } from "./place.mjs";

const AUDIT_KINDS = [
  ...["all", "call", "invalid", "question", "refusal", "stop-block", "released", "mode", "config-veto", "error"],
  ...["action", "gap", "event"],
];
const SESSIONS = ["s-main", "s-checks", "s-modes", "s-last"];
const DAY_MS = 86_400_000;

/** By name: the project, the arguments, and the format of the output. `begin` is when the fixture begins. */
export function queriesSince(begin) {
  const json = (project, ...args) => ({ project, args: [...args, "--json"], reads: "json" });
  const lines = (project, ...args) => ({ project, args: ["audit", "--json", ...args], reads: "lines" });
  const secondDay = new Date(begin + DAY_MS).toISOString().slice(0, 10);
  return {
    status: json(PROJECT, "status"),
    "status of a domain": json(PROJECT, "status", "shell_exec"),
    audit: lines(PROJECT),
    "audit of a day": lines(PROJECT, "--kind", "all", "--date", secondDay),
    "audit tail": lines(PROJECT, "--tail", "10"),
    ...Object.fromEntries(AUDIT_KINDS.map((kind) => [`audit ${kind}`, lines(PROJECT, "--kind", kind)])),
    verify: json(PROJECT, "audit", "verify"),
    trust: json(PROJECT, "trust"),
    "trust history": json(PROJECT, "trust", "history", "shell_exec"),
    modes: json(PROJECT, "mode", "list"),
    ...Object.fromEntries(SESSIONS.map((id) => [`evidence ${id}`, json(PROJECT, "evidence", "--session", id)])),
    ...Object.fromEntries(SESSIONS.map((id) => [`certificate ${id}`, json(PROJECT, "certificate", "--session", id)])),
    rules: json(PROJECT, "gate", "status"),
    undo: json(PROJECT, "undo", "--list"),
    habits: json(PROJECT, "accept"),
    stance: json(PROJECT, "stance"),
    handover: json(PROJECT, "snapshot"),
    "last refusal": json(PROJECT, "explain", "--last"),
    "exported scores": { project: PROJECT, args: ["export", "trust-scores"], reads: "json" },
    "exported modes": { project: PROJECT, args: ["export", "modes"], reads: "lines" },
    "pruned status": json(PRUNED, "status"),
    "pruned audit": lines(PRUNED, "--kind", "all"),
    "pruned verify": json(PRUNED, "audit", "verify"),
    "pruned trust": json(PRUNED, "trust"),
    "pruned stance": json(PRUNED, "stance"),
  };
}

/** Runs every command. Returns the exit code and the parsed output, or the error. Filler events are only counted. */
export function askAll(queries, now) {
  return Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, ask(query, now)]));
}

function ask({ project, args, reads }, now) {
  const { code, stdout, stderr } = runProgram(args, { now, project });
  if (stderr !== "") return { code, error: stderr };
  try {
    return { code, ...(reads === "json" ? { value: JSON.parse(stdout) } : withoutFiller(stdout)) };
  } catch (error) {
    return { code, error: `${error.message} in: ${stdout.slice(0, 200)}` };
  }
}

function withoutFiller(stdout) {
  const all = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const value = all.filter(({ session_id }) => !Object.values(FILLERS).includes(session_id));
  return { value, filler: all.length - value.length };
}

/** Fields with text for people, or about the program itself. A later version may word them differently. */
const WORDED = new Set([
  ...["version", "program", "age", "lastSeen", "last_operated", "when", "left", "words", "bar", "answer", "note"],
  ...["claim", "verifier", "why", "needs", "before", "evidence"],
]);
/** Audit entries whose `reason` is worded when it is printed, and not stored in the record. */
const WORDED_KINDS = new Set(["gap", "mode", "released", "event"]);
const WORDED_ACTIONS = new Set(["snapshot", "undo", "format"]);

/** The part of an output that must be the same in every version. */
export function dataIn(value) {
  if (Array.isArray(value)) return value.map(dataIn);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, one]) => !isWorded(value, key, one));
  return Object.fromEntries(kept.map(([key, one]) => [key, dataIn(one)]));
}

function isWorded(of, key, value) {
  // `left` is a duration in words, or a number of files.
  if (key === "left" && typeof value === "number") return false;
  if (WORDED.has(key)) return true;
  // Both mean that the port in the fixture was read; another program may listen there now.
  if (key === "gatehouse") return value === "down" || value === "stranger";
  if (key === "detail" && ("strength" in of || "segment" in of)) return true;
  const isWordedReason = WORDED_KINDS.has(of.kind) || (of.kind === "action" && WORDED_ACTIONS.has(of.event));
  return key === "reason" && isWordedReason;
}
