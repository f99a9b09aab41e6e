/** Decisions and texts for internal faults. */

import { masked, text } from "../lib/text.ts";
import { changes as couldChange, type Operation } from "../reading/operation/operation.ts";
import type { Change } from "../state/change.ts";
import type { Decision } from "../state/decision.ts";
import type { EventName } from "./event.ts";
import { type Policy, pass } from "./policy.ts";
import type { Objection, TraceEntry, Verdict } from "./verdict.ts";

/**
 * On a fault, gates refuse operations that could change something; every other event passes, and Stop is never blocked.
 * Only this table defines that.
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

/** The verdict for a fault before any policy could be evaluated. */
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

/**
 * Removes mode changes and their notices from a verdict that could not be recorded, because they did not take effect.
 */
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

/** The objection for a ruling; for an internal fault it names the fault. */
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
    ...(ruling.onlyTrust && { onlyTrust: true as const }),
    ...(ruling.family !== undefined && ruling.decision === "ask" && { family: ruling.family }),
    ...(ruling.agreement && ruling.decision === "ask" && { agreement: ruling.agreement }),
  };
}

const CANNOT_DECIDE = text("Sekisho could not decide about this action.", "関所はこの操作を判断できませんでした。");
const WAY_OUT = text(
  "Reading and asking still work. Tell the person: `sekisho explain --last` shows the cause, `sekisho uninstall` takes the checkpoint away.",
  "読み取りと質問は引き続き使えます。利用者に伝えてください: `sekisho explain --last` が原因を示し、`sekisho uninstall` で関所を外せます。",
);
