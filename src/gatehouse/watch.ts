/** What the events that are not the gatehouse's own do for it: look whether it is there, and bring it back. */
import type { Gatehouse } from "../kernel/facts.ts";
import type { Environment } from "../world/places.ts";
import { fallBack } from "./fall-back.ts";
import { type Probe, probeGatehouse } from "./probe.ts";
import { startGatehouse } from "./start.ts";

/** Never fails: what goes wrong here is told, and holds nothing up. */
export async function watch(
  env: Environment,
  program: { readonly node: string; readonly bundle: string },
): Promise<Gatehouse> {
  let probe: Probe | undefined;
  try {
    probe = await probeGatehouse(env);
    if (probe.state === "up") return { found: "up", now: "up", detail: "" };
    const started = await startGatehouse(env, program);
    if (started.ok) return { found: probe.state, now: "up", detail: probe.detail };
    const moved = fallBack(env, program, process.cwd());
    return { found: probe.state, now: moved.length > 0 ? "plain" : "down", detail: started.reason };
  } catch (error) {
    return {
      found: probe?.state ?? "down",
      now: "down",
      detail: error instanceof Error ? error.message : String(error),
    };
  }
}
