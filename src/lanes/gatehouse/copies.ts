/** Copies files in a thread, so that other events do not wait for a large snapshot. */
import { Worker } from "node:worker_threads";
import type { SnapshotOutcome, SnapshotRequest } from "../../kernel/snapshot-request.ts";

/** Extra time after the snapshot's own limit; then a hanging disk blocks only its thread, not the event. */
const GRACE_MS = 1500;

export function copyBeside(bundle: string, request: SnapshotRequest): Promise<SnapshotOutcome> {
  return new Promise((resolve) => {
    const worker = new Worker(bundle, { workerData: request });
    const end = (outcome: SnapshotOutcome): void => {
      clearTimeout(timer);
      resolve(outcome);
      void worker.terminate();
    };
    const fail = (problem: string): void => end({ is: "failed", problem });
    const timer = setTimeout(() => fail("it took too long"), request.timeMs + GRACE_MS);
    worker.once("message", end);
    worker.once("error", (error) => fail(error instanceof Error ? error.message : String(error)));
    worker.once("exit", () => fail("the thread that should do it has ended"));
  });
}
