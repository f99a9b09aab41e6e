/** Lists everything that version 0.1.0 can write into a journal, and counts what a given journal holds of it. */

const EVENTS = [
  ...["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionRequest", "PermissionDenied"],
  ...["UserPromptSubmit", "UserPromptExpansion", "SessionStart", "SessionEnd", "Setup", "Stop", "StopFailure"],
  ...["SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch"],
  ...["Notification", "TaskCreated", "TaskCompleted", "TeammateIdle", "Elicitation", "ElicitationResult"],
  ...["ConfigChange", "InstructionsLoaded", "CwdChanged", "FileChanged", "DirectoryAdded", "WorktreeCreate"],
  ...["WorktreeRemove", "MessageDisplay", "EventOfAnotherVersion"],
];

const ACTIONS = [
  ...["init", "uninstall", "mend", "mend-failed", "stance", "accept", "accept --drop", "accept-contract", "config"],
  ...["import", "allow", "deny", "pause", "resume", "verify", "mode", "cancel", "upgrade", "upgrade-back"],
];

/** For each thing that is counted: every value that the program can write. */
export const KINDS = {
  record: ["verdict", "fault", "action", "undo", "context", "format", "close", "seal", "prune"],
  change: [
    ...["session.begin", "session.end", "session.refuse-stop", "session.compact", "session.refuse-task"],
    ...["session.prompt", "session.show", "session.pressure", "session.hold", "session.activity", "session.remind"],
    ...["session.lint-due", "session.lint-begin", "session.lint-pass", "session.lint-told", "session.cover"],
    ...["session.tell-gaps", "session.restore", "session.tell-orphan", "session.refuse", "session.write"],
    ...["call.open", "call.launch", "call.close", "call.sweep"],
    ...["proof.skill", "proof.read", "proof.look", "proof.review", "proof.approve", "proof.turn", "proof.changed"],
    ...["proof.scheduled", "grant.give", "grant.take-back", "grant.use", "pause.begin", "pause.end"],
    ...["habit.accept", "habit.drop", "trust.rates", "trust.import", "stance.set"],
    ...["check.begin", "check.end", "check.define", "work.begin", "work.refuse", "work.settle"],
    ...["mode.start", "mode.stop", "mode.refuse", "mode.promise", "mode.pause", "mode.claim", "mode.adopt"],
  ],
  event: EVENTS,
  decision: ["pass", "ask", "deny"],
  "refused at": ["PreToolUse", "Stop", "SubagentStop", "TaskCompleted", "ConfigChange"],
  "verdict field": [
    ...["agent", "cwd", "tool", "call", "input", "operation", "weighed", "objections", "asked", "effect", "shape"],
    ...["lifted", "released", "changes", "injected", "unbound", "ms"],
  ],
  "objection field": ["fault", "floor"],
  "weighed field": ["domain"],
  "lifted by": ["grant", "pause", "habit"],
  released: ["bound", "ceiling", "idle", "background", "question", "cancelled", "compacted"],
  "fault in": ["input", "run-snapshot", "run-formatter", "policy"],
  "fault field": ["tool", "injected"],
  action: ACTIONS,
  "action field": ["detail", "session", "changes", "moved"],
  undo: ["keep", "nothing", "bring-back"],
  "undo field": ["call", "command", "left", "manifest", "injected"],
  "context field": ["left"],
  "format field": ["call", "problem", "injected"],
  "mode started by": ["prompt", "command", "mode", "import", "agent"],
  "mode start field": ["plan", "promise", "with", "since", "checkedAt", "count", "errors"],
  "mode stopped": ["done", "cancelled", "spent", "stuck"],
  "mode refuse field": ["plan", "error", "analysed"],
  outcome: ["success", "failure", "refused", "invalid", "interrupted"],
  "call field": ["answers", "asks", "exitCode", "tool", "domain"],
  "check begun": ["whole", "partial", "unproven", "redefined"],
  "check ended": ["passed", "failed", "changed", "redefined", "partial", "unproven"],
  "check run by": ["agent", "person"],
  "work field": ["base", "code", "beside", "moves"],
  "session begin field": ["client", "castaway"],
  "restore field": ["at", "as"],
  "skill field": ["agent"],
  "scheduled field": ["words", "aside"],
  "review field": ["files"],
  "refused effect": ["write", "delete", "read", "meta", "run"],
  pressure: ["none", "info", "urgent"],
  "cover field": ["blind", "gaps"],
  gap: ["bypass", "phantom"],
  grant: ["once", "again and again"],
  stance: ["planning", "building", "auditing"],
};

/** Values that cannot be produced reliably from outside the program, each with the reason. */
export const IMPOSSIBLE = {
  "session begin field: castaway": "needs a client whose parent has ended, on a machine whose process 1 is not a shell",
};

export function coveredBy(records) {
  const covered = new Map();
  const note = (what, value) => covered.set(`${what}: ${value}`, (covered.get(`${what}: ${value}`) ?? 0) + 1);
  for (const record of records) {
    note("record", record.kind);
    BY_KIND[record.kind]?.(record, note);
    for (const change of record.changes ?? []) noteChange(change, note);
  }
  return covered;
}

/** Compares a journal with the lists. */
export function coverageOf(records) {
  const covered = coveredBy(records);
  const all = Object.entries(KINDS).flatMap(([what, values]) => values.map((value) => `${what}: ${value}`));
  const known = new Set(all);
  return {
    all,
    covered,
    missing: all.filter((one) => !covered.has(one) && !(one in IMPOSSIBLE)),
    unlisted: [...covered.keys()].filter((one) => !known.has(one)),
    wronglyImpossible: Object.keys(IMPOSSIBLE).filter((one) => covered.has(one)),
  };
}

const FIELDS = {
  verdict: ["verdict field", ["kind", "rid", "t", "event", "session", "decision"]],
  action: ["action field", ["kind", "rid", "t", "action"]],
  fault: ["fault field", ["kind", "rid", "t", "event", "session", "where", "message"]],
  undo: ["undo field", ["kind", "rid", "t", "do", "id", "session", "files", "bytes"]],
  context: ["context field", ["kind", "rid", "t", "session", "entries", "archived", "headings", "stamped"]],
  format: ["format field", ["kind", "rid", "t", "session", "path", "by"]],
};

/** Counts the optional fields of a record. */
function noteFields(record, note) {
  const [what, always] = FIELDS[record.kind];
  for (const field of Object.keys(record)) if (!always.includes(field)) note(what, field);
}

const BY_KIND = {
  verdict(record, note) {
    noteFields(record, note);
    note("event", record.event);
    note("decision", record.decision);
    if (record.decision === "deny") note("refused at", record.event);
    present("weighed field", record.weighed ?? {}, ["domain"], note);
    for (const objection of record.objections ?? [])
      for (const field of ["fault", "floor"]) if (field in objection) note("objection field", field);
    for (const { by } of record.lifted ?? [])
      note("lifted by", by === "pause" ? "pause" : by.startsWith("habit ") ? "habit" : "grant");
    for (const { why } of record.released ?? []) note("released", why);
  },
  fault(record, note) {
    noteFields(record, note);
    const { where } = record;
    note("fault in", ["input", "run-snapshot", "run-formatter"].includes(where) ? where : "policy");
  },
  action(record, note) {
    noteFields(record, note);
    note("action", record.action);
  },
  undo(record, note) {
    noteFields(record, note);
    note("undo", record.do);
  },
  context: noteFields,
  format: noteFields,
};

function noteChange(change, note) {
  const name = `${change.record}.${change.do}`;
  note("change", name);
  BY_CHANGE[name]?.(change, note);
}

const present = (what, change, names, note) => {
  for (const name of names) if (name in change) note(what, name);
};

const BY_CHANGE = {
  "session.refuse": ({ effects }, note) => {
    for (const { kind } of effects) note("refused effect", kind);
  },
  "session.begin": (change, note) => present("session begin field", change, ["client", "castaway"], note),
  "session.restore": (change, note) => present("restore field", change, ["at", "as"], note),
  "session.pressure": ({ level }, note) => note("pressure", level),
  "session.cover": (change, note) => {
    present("cover field", change, ["blind", "gaps"], note);
    for (const { kind } of change.gaps ?? []) note("gap", kind);
  },
  "call.open": (change, note) => present("call field", change, ["answers", "asks"], note),
  "call.close": (change, note) => {
    note("outcome", change.outcome);
    present("call field", change, ["exitCode", "tool", "domain"], note);
  },
  "proof.skill": (change, note) => present("skill field", change, ["agent"], note),
  "proof.scheduled": (change, note) => present("scheduled field", change, ["words", "aside"], note),
  "proof.review": (change, note) => present("review field", change, ["files"], note),
  "grant.give": ({ grant: { once } }, note) => note("grant", once ? "once" : "again and again"),
  "stance.set": ({ stance }, note) => note("stance", stance),
  "check.begin": ({ runs }, note) => {
    for (const { how, redefined } of runs) note("check begun", redefined ? "redefined" : how);
  },
  "check.end": ({ id, runs }, note) => {
    note("check run by", id === undefined ? "person" : "agent");
    for (const { outcome } of runs) note("check ended", outcome);
  },
  "work.begin": (change, note) => present("work field", change, ["base", "code", "beside", "moves"], note),
  "mode.start": (change, note) => {
    note("mode started by", change.by);
    const fields = ["plan", "promise", "with", "since", "checkedAt", "count", "errors"];
    present("mode start field", change, fields, note);
  },
  "mode.stop": ({ why }, note) => note("mode stopped", why),
  "mode.refuse": (change, note) => present("mode refuse field", change, ["plan", "error", "analysed"], note),
};
