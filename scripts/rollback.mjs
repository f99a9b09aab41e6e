/**
 * Checks that a user can go back to 0.1.0. The new version appends to a state directory written by 0.1.0, then 0.1.0
 * reads that directory and answers events, then the new version reads it again.
 *
 *   node scripts/rollback.mjs [--old <sekisho.cjs of 0.1.0>] [--new <sekisho.cjs>]
 *
 * Without --old, the script builds 0.1.0 from its commit in a temporary work tree. Exits 1 if a check fails. Run it in
 * your own terminal: `sekisho allow` and other commands refuse to run in the shell of an agent.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { Client } from "./state-fixture/client.mjs";
import { fillSegment } from "./state-fixture/fill.mjs";
import * as place from "./state-fixture/place.mjs";
import { askAll, dataIn, queriesSince } from "./state-fixture/queries.mjs";

const COMMIT = "4f5844a";
const REPOSITORY = join(import.meta.dirname, "..");
const PAYLOADS = join(REPOSITORY, "test", "payloads");
/** Recorded payloads that are not replayed: the script sends these events itself, or they belong to no hook. */
const PLAYED =
  /^(PreToolUse|PostToolUse|PostToolUseFailure|PostToolBatch|UserPromptSubmit|SessionStart|SessionEnd|Stop|statusLine)\b/;
const HALF_AN_HOUR = 1_800_000;

const { values } = parseArgs({
  options: { old: { type: "string" }, new: { type: "string", default: join(REPOSITORY, "dist", "sekisho.cjs") } },
});

let failures = 0;

const { program: old, clean } =
  values.old === undefined ? builtFromCommit() : { program: values.old, clean: () => undefined };
await place.claimPlace();
try {
  rollBack();
} finally {
  place.releasePlace();
  clean();
}
console.log(failures === 0 ? "\nRollback to 0.1.0 works." : `\n${failures} checks failed.`);
process.exit(failures === 0 ? 0 : 1);

function rollBack() {
  const { begin, now } = JSON.parse(gunzipSync(readFileSync(place.OUTPUTS)).toString());
  const queries = queriesSince(begin);
  place.unpackPlace(values.new);
  console.log(`New version (${version(now)}) appends to the state of 0.1.0`);
  const client = new Client(now + HALF_AN_HOUR);
  continueState(client);
  const pruned = new Client(client.now, place.PRUNED);
  continuePruned(pruned);
  const at = pruned.now;
  const told = askAll(queries, at);
  check("both journals are intact", isIntact(told));

  place.installProgram(old);
  console.log(`\nOld version (${version(at)}) reads the state`);
  readByOld(queries, told, at);
  console.log("\nOld version answers events");
  const after = new Client(at);
  answeredByOld(after);

  place.installProgram(values.new);
  console.log("\nNew version reads the state again");
  const again = askAll(queries, after.now);
  check("both journals are intact", isIntact(again));
  const tail = again["audit tail"].value.map(({ session_id }) => session_id);
  check("the audit has the events that 0.1.0 answered", tail.includes("s-rolled-back"));
}

/** Appends events of all kinds, a mode, a grant, a test run and an undo snapshot, and closes a segment. */
function continueState(client) {
  const fields = { session_id: "s-newer" };
  const begun = client.send("SessionStart", { ...fields, source: "startup" });
  check("starts a session", begun.code === 0);
  client.prompt("/turbo the newer page", fields);
  client.edit("src/newer.js", "export const newer = 1;\n", fields);
  client.bash("npm test", { fields });
  client.failingBash("npm run lint", "Exit code 1\nlint", fields);
  client.bash("ls", { fields });
  check("blocks a Stop while a mode is on", client.stop(fields).stdout.includes('"decision":"block"'));
  client.write("build/newer.txt", "never committed\n");
  client.bash("rm build/newer.txt", { fields, effect: () => client.remove("build/newer.txt") });
  const files = readdirSync(PAYLOADS).filter((name) => name.endsWith(".json") && !PLAYED.test(name));
  const codes = files.map((file) => client.replay(file.split(".")[0], file.replace(/\.json$/, ""), fields).code);
  check(
    `answers ${files.length} recorded events`,
    codes.every((code) => code === 0 || code === 2),
  );
  client.gate("Bash", { command: "npm publish" }, fields);
  person(client, ["allow", client.newest("question"), "--for", "8h"]);
  person(client, ["pause", "--for", "10m"]);
  person(client, ["resume"]);
  person(client, ["stance", "building"]);
  person(client, ["verify"], [0, 2]);
  fillSegment(client);
  check(
    "closes and seals a segment",
    place.recordsOf(place.PROJECT).some(({ of }) => of === 3),
  );
  client.send("SessionEnd", { ...fields, session_id: "s-undo", reason: "other" });
}

/** Appends enough records for the new version to write snapshots. */
function continuePruned(client) {
  const fields = { session_id: "p-new" };
  client.send("SessionStart", { ...fields, source: "resume" });
  for (let count = 0; count < 30; count++) client.bash("make", { fields });
}

function readByOld(queries, told, at) {
  const answers = askAll(queries, at);
  const failed = Object.keys(queries).filter((name) => answers[name].error !== undefined);
  check(`runs ${Object.keys(queries).length} commands without an error${named(failed)}`, failed.length === 0);
  if (failed.length > 0) return;
  check("both journals are intact", isIntact(answers));
  const differing = Object.keys(queries).filter((name) => answers[name].code !== told[name].code);
  check(`returns the same exit codes as the new version${named(differing)}`, differing.length === 0);
  for (const name of ["audit all", "pruned audit"]) {
    const [here, there] = [told[name], answers[name]].map(({ value, filler }) => value.length + filler);
    check(`${name}: ${there} lines, the same number as in the new version`, here === there);
  }
  const status = answers.status.value;
  check(
    "the grant of the new version is active",
    status.grants.some(({ what }) => what.includes("npm publish")),
  );
  // 0.1.0 knows no witness: what waits for one in the new version, such as a pause by StopFailure, counts there at once.
  const [ours, theirs] = [told, answers].map(({ modes }) =>
    modes.value
      .filter(({ session }) => session === "s-newer")
      .map(({ mode, count, max, since }) => ({ mode, count, max, since })),
  );
  const isOn = theirs.some(({ mode }) => mode === "turbo") && theirs.some(({ count }) => count > 0);
  check("the modes of the new version are on, with the same counts", isOn && isDeepStrictEqual(ours, theirs));
  const kept = answers.undo.value.some(({ command, state }) => command === "rm build/newer.txt" && state === "kept");
  check("undo lists the snapshot of the new version", kept);
  // Not a failure: a later version may store more than 0.1.0 can show.
  const others = Object.keys(queries).filter((name) => !isDeepStrictEqual(dataIn(answers[name]), dataIn(told[name])));
  if (others.length > 0) console.log(`note  other output than in the new version: ${others.join(", ")}`);
}

function answeredByOld(client) {
  const fields = { session_id: "s-rolled-back" };
  check("starts a session", client.send("SessionStart", { ...fields, source: "startup" }).code === 0);
  const resumed = { session_id: "s-newer" };
  check(
    "resumes a session of the new version",
    client.send("SessionStart", { ...resumed, source: "resume" }).code === 0,
  );
  const gate = (command, of = fields) => client.gate("Bash", { command }, of).answer;
  check("allows a harmless command", isPass(gate("ls")));
  check("blocks a forbidden command", gate("rm -rf /").code === 2);
  check("allows the command granted in the new version", isPass(gate("npm publish")));
  check("allows the command granted in 0.1.0", isPass(gate("git branch -D other")));
  // A StopFailure event has paused the modes; a prompt resumes them.
  client.prompt("go on", resumed);
  client.bash("ls", { fields: resumed });
  const stopped = client.stop(resumed);
  check(
    "blocks a Stop because of the mode of the new version",
    stopped.code === 0 && stopped.stdout.includes('"decision":"block"'),
  );
  const undo = place.runProgram(["undo", "--json"], { now: client.now });
  check(
    "undo restores the snapshot of the new version",
    undo.code === 0 && existsSync(`${place.PROJECT}/build/newer.txt`),
  );
  const verify = place.runProgram(["audit", "verify"], { now: client.now });
  check("the journal is intact", verify.code === 0);
}

function isPass({ code, stdout }) {
  return code === 0 && !stdout.includes('"permissionDecision":"ask"');
}

function isIntact(answers) {
  return ["verify", "pruned verify"].every((name) => answers[name].value?.integrity === "intact");
}

function person(client, args, codes = [0]) {
  try {
    client.person(args, { codes });
    check(`sekisho ${args[0]}`, true);
  } catch (error) {
    check(error.message, false);
  }
}

function check(what, holds) {
  console.log(`${holds ? "ok  " : "FAIL"}  ${what}`);
  if (!holds) failures++;
}

function named(names) {
  return names.length === 0 ? "" : ` (not: ${names.join(", ")})`;
}

function version(now) {
  return place.runProgram(["--version"], { now }).stdout.trim();
}

/** Builds 0.1.0 in a temporary work tree. */
function builtFromCommit() {
  const directory = join(mkdtempSync(join(tmpdir(), "sekisho-rollback-")), "tree");
  const clean = () => {
    spawnSync("git", ["-C", REPOSITORY, "worktree", "remove", "--force", directory]);
    rmSync(join(directory, ".."), { recursive: true, force: true });
  };
  try {
    must("git", ["-C", REPOSITORY, "worktree", "add", "--quiet", "--detach", directory, COMMIT]);
    must("npm", ["ci", "--prefix", directory]);
    must("node", [join(directory, "scripts", "build.mjs")], directory);
  } catch (error) {
    clean();
    throw error;
  }
  return { program: join(directory, "dist", "sekisho.cjs"), clean };
}

function must(command, args, cwd = REPOSITORY) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}.`);
}
