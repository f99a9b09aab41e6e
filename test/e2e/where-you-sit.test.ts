/** Where a person sits, and what commands for people say there. Holds the table in docs/where-you-sit.md. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../until.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

const PHRASE = "four words are enough";

const VERBS = [
  ...["allow m1", "pause", "cancel", "stance building", "config set profile oath", "accept m1", "verify"],
  ...["init --yes --lane plain", "audit prune", "uninstall"],
] as const;

/** `refused`: for people only. `asks`: for the passphrase. `works`: goes ahead, or says what is wrong with its arguments. */
type Answer = "refused" | "asks" | "works";

/** LINE is the command; each place runs it in the background and waits for its end. */
const PLACES: Readonly<Record<string, string>> = {
  "a shell without a terminal": "setsid sh -c 'LINE; :'",
  "inside the agent's shell": "CLAUDECODE=1 sh -c 'LINE; :'",
  "an orphaned shell": "(setsid sh -c 'LINE; :' &)",
  "an orphan below find": "(setsid find . -maxdepth 0 -exec sh -c 'LINE; :' \\; &)",
};

async function said(stage: Stage, place: string, verb: string): Promise<Answer> {
  const out = join(stage.root, "said.txt");
  writeFileSync(out, "");
  const run = join(stage.root, "run.sh");
  writeFileSync(run, `exec </dev/null >>${out} 2>&1\n${program.node} ${program.bundle} ${verb}\necho ended\n`);
  stage.run("sh", ["-c", (PLACES[place] ?? "").replace("LINE", `sh ${run}`)]);
  const words = (): string => (existsSync(out) ? readFileSync(out, "utf8") : "");
  await until(() => /ended/.test(words()), `the end of ${verb}`);
  if (words().includes("is for people only")) return "refused";
  return /passphrase, and there is no terminal/.test(words()) ? "asks" : "works";
}

/** A host was seen here before, so that an orphan may be its agent's. */
function seen(phrase: boolean): Stage {
  const stage = openStage({ registered: false });
  const args = ["init", "--yes", "--lane", "plain", ...(phrase ? ["--passphrase-stdin"] : [])];
  const init = stage.run("setsid", ["--wait", program.node, program.bundle, ...args], { input: `${PHRASE}\n` });
  expect(init).toMatchObject({ code: 0, stderr: "" });
  stage.send("SessionStart", { source: "startup" });
  return stage;
}

const all = (answer: Answer): Readonly<Record<string, Answer>> =>
  Object.fromEntries(VERBS.map((verb) => [verb, answer]));

/** By place: what every verb says, and the exceptions. `verify` also works for an agent; it then records less. */
const TABLE: readonly (readonly [place: string, phrase: boolean, answers: Readonly<Record<string, Answer>>])[] = [
  ["a shell without a terminal", false, all("works")],
  ["a shell without a terminal", true, { ...all("asks"), verify: "works" }],
  ["inside the agent's shell", false, { ...all("refused"), verify: "works" }],
  ["inside the agent's shell", true, { ...all("refused"), verify: "works" }],
  ["an orphaned shell", false, { ...all("refused"), verify: "works" }],
  ["an orphaned shell", true, { ...all("asks"), verify: "works" }],
  ["an orphan below find", false, { ...all("refused"), verify: "works" }],
  ["an orphan below find", true, { ...all("asks"), verify: "works" }],
];

/** Where process 1 starts shells for people itself, an orphan can't be told from those. */
const adopts = process.platform === "linux" && !/sh$|tty|login/.test(readFileSync("/proc/1/comm", "utf8").trim());

describe.skipIf(forPeople.skip || !adopts)(`commands for people${forPeople.why}`, () => {
  it.each(TABLE)("in %s, passphrase: %s", async (place, phrase, answers) => {
    const stage = seen(phrase);
    const found: Record<string, Answer> = {};
    for (const verb of VERBS) found[verb] = await said(stage, place, verb);
    expect(found).toEqual(answers);
  });
});
