/** What our own failure means, and in which words it is told. */
import type { Change } from "../state/change.ts";
import type { Decision } from "../state/decision.ts";
import type { EventName } from "./event.ts";
import { changes as couldChange, type Operation } from "./operation.ts";
import { type Policy, pass } from "./policy.ts";
import { masked, text } from "./text.ts";
import type { Objection, TraceEntry, Verdict } from "./verdict.ts";

/**
 * Gates shut for whatever could change something, everything else goes on, and a Stop is
 * never held by an error. This table is the only place that says so.
 */
const ON_FAULT: Readonly<Partial<Record<EventName, (operation: Operation | undefined) => Decision>>> = {
  PreToolUse: (operation) => (operation === undefined || couldChange(operation) ? "deny" : "pass"),
  ConfigChange: () => "deny",
};

export function onFault(event: EventName, operation: Operation | undefined): Decision {
  return ON_FAULT[event]?.(operation) ?? "pass";
}

export function faultEntry(
  policy: string,
  event: EventName,
  operation: Operation | undefined,
  fault: string,
): TraceEntry {
  const decision = onFault(event, operation);
  if (decision === "pass") return { policy, ruling: pass, fault };
  return { policy, fault, ruling: { decision, what: CANNOT_DECIDE, fix: WAY_OUT } };
}

/** A verdict that comes from our own failure before any policy could be asked. */
export function faultVerdict(
  event: EventName,
  operation: Operation | undefined,
  where: string,
  fault: string,
): Verdict {
  const entry = faultEntry(where, event, operation, fault);
  const objections = entry.ruling.decision === "pass" ? [] : [objectionOf(entry, [])];
  return {
    decision: entry.ruling.decision,
    objections,
    notes: [],
    notices: [],
    changes: [],
    trace: [entry],
    unbound: false,
  };
}

/** What could not be kept has not happened: a mode that began or ended in it only must not be said to have. */
export function withoutModes(verdict: Verdict, fault: string): Verdict {
  if (!verdict.changes.some(isAboutModes)) return verdict;
  const told = verdict.trace.flatMap(({ ruling: { changes = [], notices = [] } }) =>
    changes.some(isAboutModes) ? [] : notices,
  );
  const why = text(`no mode has begun or ended: ${fault}`, `モードは始まっても終わってもいません: ${fault}`);
  return { ...verdict, notices: [...told, why].map(masked), changes: [] };
}

function isAboutModes({ record }: Change): boolean {
  return record === "mode";
}

/** What is told of a ruling that objects; of one that comes from our failure, how we failed. */
export function objectionOf({ policy: id, ruling, fault }: TraceEntry, policies: readonly Policy[]): Objection {
  const policy = policies.find((candidate) => candidate.id === id);
  return {
    policy: id,
    decision: ruling.decision,
    what: masked(ruling.what ?? CANNOT_DECIDE),
    why: fault ? masked(text(`sekisho: ${fault}`, `sekisho: ${fault}`)) : (policy?.why ?? CANNOT_DECIDE),
    fix: masked(ruling.fix ?? WAY_OUT),
    ...(fault !== undefined && { fault }),
    ...((policy?.floor || ruling.floor) && { floor: true as const }),
  };
}

const CANNOT_DECIDE = text("Sekisho could not decide about this action.", "関所はこの操作を判断できませんでした。");
const WAY_OUT = text(
  "Reading and asking still work. Tell the person: `sekisho explain --last` shows the cause, `sekisho uninstall` takes the checkpoint away.",
  "読み取りと質問は引き続き使えます。利用者に伝えてください: `sekisho explain --last` が原因を示し、`sekisho uninstall` で関所を外せます。",
);
