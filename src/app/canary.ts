/** Judges a command that must be denied, to see that the policies still deny it under the settings in force. */
import { driveNow, running } from "../kernel/drive.ts";
import type { HookEvent } from "../kernel/event.ts";
import type { Canary } from "../kernel/facts.ts";
import type { Policy } from "../kernel/policy.ts";
import { operationOf } from "../reading/operation/operation.ts";
import type { Surroundings } from "../world/gather.ts";
import { judge } from "./judge.ts";

/** The floor denies this one too, so no setting can let it pass. */
const tool = { kind: "bash", name: "Bash", command: "rm -rf /", background: false } as const;

/** Leaves no record: the agent attempted nothing. */
export function judgeCanary(around: Surroundings, policies: readonly Policy[]): Canary {
  const { session, cwd } = around.event;
  try {
    const event: HookEvent<"PreToolUse"> = {
      ...{ name: "PreToolUse", session, cwd, attended: true, tool, call: "", input: {} },
    };
    const operation = operationOf(tool, { cwd, home: around.places.home });
    const { verdict } = driveNow(judge({ ...around, event, operation }, policies), runsNothing);
    // Other policies may deny it as well; the question is whether the floor does.
    const floor = verdict.objections.filter(({ fault, floor }) => fault === undefined && floor === true);
    if (floor.length > 0) return { denied: true, detail: floor.map(({ policy }) => policy).join(", ") };
    const broken = verdict.objections.find(({ fault }) => fault !== undefined);
    return { denied: false, detail: broken?.fault ?? `the verdict was "${verdict.decision}"` };
  } catch (error) {
    return { denied: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** The verdict does not depend on a program, and starting one would cost more than the rest of the event. */
const runsNothing = running(() => ({ failed: "no program is run for a canary" }));
