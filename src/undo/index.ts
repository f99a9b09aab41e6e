/** The bundle that takes snapshots, called in the event's process or started as a thread beside the daemon. */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import type { SnapshotRequest } from "../kernel/snapshot-request.ts";
import { snapshot } from "./snapshot.ts";

export { snapshot };

if (!isMainThread) parentPort?.postMessage(snapshot(workerData as SnapshotRequest));
