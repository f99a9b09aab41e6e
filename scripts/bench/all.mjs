/** Runs the benchmarks of both lanes, and of the fast lane inside the real host. Usage: npm run bench */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./bench.mjs";

for (const part of ["plain", "fast", "plan", "parts", "inbox", "mail", "client"]) {
  console.log(`\n# ${part}`);
  const { status } = spawnSync(process.execPath, [join(root, "scripts", "bench", `${part}.mjs`)], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
