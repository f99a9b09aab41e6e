/** Snapshots are taken in a thread of their own: however much there is to copy, nobody else waits for it. */
import { Worker } from "node:worker_threads";
import type { SnapshotOutcome, SnapshotRequest } from "../kernel/snapshot-request.ts";

/** Beyond the time it gives itself: a disk that does not answer holds its thread, and no longer the event. */
const GRACE_MS = 1500;

export function snapshotBeside(bundle: string, request: SnapshotRequest): Promise<SnapshotOutcome> {
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
