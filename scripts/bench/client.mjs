/**
 * What the fast lane adds to a tool call in the real client: the time between the model's answer and the client's next
 * request, in turns within one session: without hooks, with the gate alone, with everything that the gatehouse answers
 * for, and with the same hooks answered by a server that does nothing. That tells what is the client's own and what is
 * ours. Usage: node scripts/bench/client.mjs
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { bundled, judge, quantile, sources } from "./bench.mjs";
import { openGatehouse } from "./gatehouse.mjs";

const ROUNDS = 16;
const CALLS = 14;
/** The client looks at its settings again within a second or two. */
const SETTLE_MS = 2500;

const scratch = mkdtempSync(join(tmpdir(), "sekisho-bench-"));
const { slots } = await sources(scratch);
const { clientBinary, startModel, towardsModel, use } = await client();
const binary = clientBinaryOrLeave();
const gatehouse = openGatehouse(scratch);

const project = join(scratch, "project");
const settings = join(project, ".claude", "settings.local.json");
mkdirSync(join(project, ".git"), { recursive: true });
mkdirSync(dirname(settings), { recursive: true });

const program = { node: process.execPath, bundle: gatehouse.bundle };
const turns = ["SessionStart", "UserPromptSubmit"];
const tools = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"];
const idle = await serverThatDoesNothing();

/** What is registered in each kind of block. */
const KINDS = {
  "no hooks": { events: turns, door: gatehouse.door },
  "the gate": { events: [...turns, "PreToolUse"], door: gatehouse.door },
  "the gate, nobody thinks": { events: [...turns, "PreToolUse"], door: idle },
  "all hooks": { events: [...turns, ...tools], door: gatehouse.door },
  "all, nobody thinks": { events: [...turns, ...tools], door: idle },
};

function register({ events, door }) {
  const hooks = {};
  for (const { event, matcher, hook } of slots(events, { ...program, door }, "fast")) {
    hooks[event] ??= [];
    hooks[event].push({ ...(matcher && { matcher }), hooks: [hook] });
  }
  writeFileSync(settings, JSON.stringify({ hooks }));
}
register(KINDS["all hooks"]);

let answeredAt = 0;
const taken = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
const file = join(project, "hello.txt");
writeFileSync(file, "hello\n");
// There and back: the session grows, and whoever comes later in a round would pay for it.
const steps = Array.from({ length: ROUNDS }, (_, n) => (n % 2 ? Object.keys(KINDS).reverse() : Object.keys(KINDS)))
  .flat()
  .flatMap((kind) =>
    Array.from({ length: CALLS }, (_, call) => async () => {
      // The first of a block only waits until the client has read its settings; the second is the first to be timed.
      if (call > 1) taken[kind].push(performance.now() - answeredAt);
      if (call === 0) {
        register(KINDS[kind]);
        await pause(SETTLE_MS);
      }
      answeredAt = performance.now();
      return use("Read", { file_path: file });
    }),
  );

console.log(`${ROUNDS} rounds of ${Object.keys(KINDS).length} blocks of ${CALLS} calls …`);
const model = await startModel(steps, []);
const child = spawn(
  binary,
  ["-p", "--output-format", "stream-json", "--verbose", "--allowedTools", "Read", "--", "go"],
  {
    cwd: project,
    env: {
      ...gatehouse.env,
      TMPDIR: scratch,
      ...towardsModel(model.url),
    },
    stdio: ["ignore", "ignore", "inherit"],
  },
);
await once(child, "close");
await model.close();
const expected = ROUNDS * (CALLS - 2);
for (const [kind, values] of Object.entries(taken)) {
  if (values.length !== expected) throw new Error(`the client did not play the whole session: ${kind}`);
  console.log(`  ${kind.padEnd(24)} median ${quantile(values, 0.5).toFixed(1).padStart(6)} ms   n ${values.length}`);
}
/** Blocks of a round stand beside one another: what is busy for a while is busy for all of them. */
const extra = (kind, over) =>
  quantile(
    taken[kind].map((ms, n) => ms - taken[over][n]),
    0.5,
  );
const own = (kind) => `${kind}: ${extra(kind, "no hooks").toFixed(1)} ms`;
console.log(`over no hooks at all, most of it the client's own: ${Object.keys(KINDS).slice(1).map(own).join(", ")}`);
judge([
  [
    "what we add to the gate ≤ 3 ms per call, median of the pairs",
    extra("the gate", "the gate, nobody thinks"),
    3,
    " ms",
  ],
  ["what we add to all hooks ≤ 3 ms per call, median of the pairs", extra("all hooks", "all, nobody thinks"), 3, " ms"],
]);
process.exit();

async function serverThatDoesNothing() {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.end("{}"));
  });
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: server.address().port, token: "none" };
}

/** The client and the model of the stories. */
function client() {
  return bundled(scratch, "client", [
    'export { towardsModel } from "./src/cli/doctor/messages-api.ts";',
    'export { clientBinary } from "./test/client/client.ts";',
    'export { startModel, use } from "./test/client/scripted-model.ts";',
  ]);
}

function clientBinaryOrLeave() {
  try {
    return clientBinary();
  } catch (error) {
    console.log(`skipped: ${error.message} \`npm run test:client\` installs it.`);
    process.exit(0);
  }
}
