/** Passes messages between a test, which waits synchronously, and the driver's process, which answers asynchronously. */
import { spawn } from "node:child_process";
import { workerData } from "node:worker_threads";

const { node, args, port, turn } = workerData;
const child = spawn(node, args, { env: {}, stdio: ["ignore", "ignore", "inherit", "ipc"] });

function answer(reply) {
  port.postMessage(reply);
  Atomics.store(turn, 0, 1);
  Atomics.notify(turn, 0);
}

child.on("message", answer);
child.on("error", (error) => answer({ problem: String(error) }));
child.on("exit", (code, signal) => answer({ problem: `it ended with ${signal ?? code}` }));
port.on("message", (request) => child.send(request, () => undefined));
