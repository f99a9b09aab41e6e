/**
 * What the fast lane adds to a tool call in the real client: the time between the model's answer and the client's next
 * request, with our hooks registered and without, in turns within one session. Usage: node scripts/bench/client.mjs
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "esbuild";
import { judge, quantile, root, sources } from "./bench.mjs";
import { openGatehouse } from "./gatehouse.mjs";

const BLOCKS = 10;
const CALLS = 12;
/** The client looks at its settings again within a second or two. */
const SETTLE_MS = 2500;

const scratch = mkdtempSync(join(tmpdir(), "sekisho-bench-"));
const { slots } = await sources(scratch);
const { clientBinary, startModel, bash } = await client();
const binary = clientBinaryOrLeave();
const gatehouse = openGatehouse(scratch);

const project = join(scratch, "project");
const settings = join(project, ".claude", "settings.local.json");
mkdirSync(join(project, ".git"), { recursive: true });
mkdirSync(dirname(settings), { recursive: true });

const program = { node: process.execPath, bundle: gatehouse.bundle, door: gatehouse.door };
const hooks = (events) =>
  slots(events, program, "fast").reduce((all, { event, matcher, hook }) => {
    const group = { ...(matcher && { matcher }), hooks: [hook] };
    return { ...all, [event]: [...(all[event] ?? []), group] };
  }, {});
const always = ["SessionStart", "UserPromptSubmit"];
const fast = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"];
const register = (events) => writeFileSync(settings, JSON.stringify({ hooks: hooks(events) }));
register([...always, ...fast]);

let answeredAt = 0;
const taken = { on: [], off: [] };
const steps = [];
for (let block = 0; block < BLOCKS; block++) {
  const lane = block % 2 === 0 ? "on" : "off";
  for (let call = 0; call < CALLS; call++) {
    steps.push(async () => {
      const now = performance.now();
      // The first of a block only waits until the client has read its settings.
      if (call > 1) taken[lane].push(now - answeredAt);
      if (call === 0) {
        register(lane === "on" ? [...always, ...fast] : always);
        await pause(SETTLE_MS);
      }
      answeredAt = performance.now();
      return bash("true");
    });
  }
}

console.log(`${BLOCKS} blocks of ${CALLS} calls, our hooks on and off in turn …`);
const model = await startModel(steps, []);
const child = spawn(
  binary,
  ["-p", "--output-format", "stream-json", "--verbose", "--allowedTools", "Bash", "--", "go"],
  {
    cwd: project,
    env: {
      ...gatehouse.env,
      TMPDIR: scratch,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
    },
    stdio: ["ignore", "ignore", "inherit"],
  },
);
await once(child, "close");
await model.close();
if (taken.on.length === 0 || taken.off.length === 0) throw new Error("the client did not play the whole session");
const pairs = taken.on.map((ms, n) => ms - (taken.off[n % taken.off.length] ?? 0));
for (const [name, values] of Object.entries(taken)) {
  console.log(`  ${`hooks ${name}`.padEnd(10)} median ${quantile(values, 0.5).toFixed(1)} ms   n ${values.length}`);
}
judge([["extra per call in the client ≤ 3 ms, median of the pairs", quantile(pairs, 0.5), 3, " ms"]]);
process.exit();

/** The client and the model of the stories. */
async function client() {
  const outfile = join(scratch, "client.cjs");
  await build({
    stdin: {
      contents: `export { clientBinary } from "./test/client/client.ts"; export { startModel, bash } from "./test/client/scripted-model.ts";`,
      resolveDir: root,
      loader: "ts",
    },
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile,
    logLevel: "error",
  });
  return createRequire(import.meta.url)(outfile);
}

function clientBinaryOrLeave() {
  try {
    return clientBinary();
  } catch (error) {
    console.log(`skipped: ${error.message} \`npm run test:client\` installs it.`);
    process.exit(0);
  }
}
