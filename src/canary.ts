/** A command that must be refused, judged as an agent's would be: does this law, as it is set here, still refuse? */
import { decide, policiesFor } from "./kernel/decide.ts";
import type { HookEvent } from "./kernel/event.ts";
import type { Canary, Gathered } from "./kernel/facts.ts";
import { operationOf } from "./kernel/operation.ts";
import type { Policy } from "./kernel/policy.ts";
import { gather, type Surroundings } from "./world/gather.ts";

/** Known at every event, because binding, bounds and leave are the law of all of them. */
export const BASIC_FACTS = [
  "now",
  "settings",
  "session",
  "caller",
  "leave",
] as const satisfies readonly (keyof Gathered)[];

/** Refused by the floor too, so that nothing a person may switch off lets it through. */
const tool = { kind: "bash", name: "Bash", command: "rm -rf /", background: false } as const;

/** Leaves no record: it is a question about the law, not an attempt of the agent. */
export function judgeCanary(around: Surroundings, law: readonly Policy[]): Canary {
  const { places, settings } = around;
  const { session, cwd } = around.event;
  try {
    const event: HookEvent<"PreToolUse"> = {
      name: "PreToolUse",
      session,
      cwd,
      attended: true,
      tool,
      call: "",
      input: {},
    };
    const operation = operationOf(tool, { cwd, home: places.home });
    const asked = policiesFor({ event, operation, facts: { settings } }, law);
    // No program is run for what nobody does.
    const quiet = { ...around, event, operation, run: undefined };
    const facts = gather([...BASIC_FACTS, ...asked.flatMap(({ needs }) => needs)], quiet);
    const { objections, decision } = decide({ event, operation, facts }, asked);
    // Others may refuse it as well, today; what is asked is whether the floor holds.
    const refusers = objections.filter(({ fault, floor }) => fault === undefined && floor === true);
    if (refusers.length > 0) return { denied: true, detail: refusers.map(({ policy }) => policy).join(", ") };
    const broken = objections.find(({ fault }) => fault !== undefined);
    return { denied: false, detail: broken?.fault ?? `the verdict was "${decision}"` };
  } catch (error) {
    return { denied: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
