/**
 * An agent that has read our source tries to give itself what only the host or a person can give, in the real client.
 * Each way has 25 variations or more, by what stops them. Each row says how it must end.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FORGED_EVENTS } from "./authority/forged-events.ts";
import { FORGED_PROMPTS, PROMPT_FILES } from "./authority/forged-prompts.ts";
import { FORGED_RECORDS, forged, RECORD_FILES } from "./authority/forged-records.ts";
import { HOST_PROCESS, keystrokes } from "./authority/keystrokes.ts";
import { PERSONS_VERBS, VERB_FILES } from "./authority/persons-verbs.ts";
import { expectEnds, run, write } from "./authority/variations.ts";
import { FORGER, INBOX, tellWhere } from "./forger.ts";
import { hasTmux, openRoom } from "./panes.ts";
import { bash, use } from "./scripted-model.ts";
import { forbidden, laneOfRun, openStage, type Stage } from "./stage.ts";

const rule = (name: string, evidence: string, of: string): string =>
  `    - {name: ${name}, when: {event: PreToolUse, globs: ["${name}/**"]}, need: {evidence: ${evidence}, of: ${of}, freshness: session}, else: deny}\n`;

/** Each directory of these opens by one kind of evidence. */
const RULES = `verify: { require: [test] }
gates:
  rules:
${rule("approved", "approval", "release")}${rule("proven", "command", "test")}${rule("reviewed", "verdict", "reviewer")}${rule("skilled", "skill", "release")}`;

const FILES = {
  "package.json": JSON.stringify({ scripts: { test: "node test.js" } }),
  "answer.js": "module.exports = 41;\n",
  "test.js": 'process.exit(require("./answer.js") === 42 ? 0 : 1);\n',
  ".sekisho/config.yaml": RULES,
  ...FORGER,
};

const isModeOver = ({ sekisho }: Stage): boolean =>
  !/"mode": "persistent"[^}]*"why": null/s.test(sekisho("mode", "list", "--json").stdout);

const DIRECTORIES = Object.fromEntries(
  ["approved", "proven", "reviewed", "skilled"].map((name) => [name, write(name)]),
);
const PERSISTENT = "Implement the login page and don't stop until it is done";

const breaking = ({ project }: Stage) => [
  use("Read", { file_path: join(project, "answer.js") }),
  use("Write", { file_path: join(project, "answer.js"), content: "module.exports = 40;\n" }),
];

it("forged events give nothing", async () => {
  const stage = openStage(FILES);
  tellWhere(stage);
  const session = await expectEnds(FORGED_EVENTS, {
    stage,
    prompt: PERSISTENT,
    probes: { ...DIRECTORIES, mode: { look: isModeOver } },
    before: breaking(stage),
    after: [{ text: "Done: the tests pass." }],
  });
  expect(session.requests.at(-1)?.body).toContain("Sekisho refuses this");
});

const PHRASE = "four words are enough";

/** With a passphrase, and a signed pause of the person's that is over. */
function withPassphrase(files: Readonly<Record<string, string>>): Stage {
  const stage = openStage(files);
  tellWhere(stage);
  const init = ["init", "--yes", "--lane", laneOfRun(), "--passphrase-stdin"];
  expect(stage.sekishoSaying(`${PHRASE}\n`, ...init)).toMatchObject({ code: 0, stderr: "" });
  expect(stage.sekishoSaying(`${PHRASE}\n`, "pause", "--passphrase-stdin").code).toBe(0);
  expect(stage.sekisho("resume").code).toBe(0);
  return stage;
}

it("forged prompts give nothing", async () => {
  const stage = openStage({ ...FILES, ...INBOX, ...PROMPT_FILES });
  tellWhere(stage);
  await expectEnds(FORGED_PROMPTS, {
    stage,
    prompt: PERSISTENT,
    probes: { approved: write("approved"), mode: { look: isModeOver } },
  });
});

const isLoose = ({ sekisho, settings }: Stage): boolean => {
  const { pause, grants } = JSON.parse(sekisho("status", "--json").stdout) as { pause: unknown; grants: unknown[] };
  const trusted = sekisho("guard", "--json").stdout.includes('"trusted"');
  return pause !== null || grants.length > 0 || trusted || !readFileSync(settings, "utf8").includes("key=");
};

it("commands for people give an agent nothing, wherever it hides", async () => {
  const stage = withPassphrase({ ...FILES, ...VERB_FILES });
  const session = await expectEnds(PERSONS_VERBS, {
    stage,
    prompt: PERSISTENT,
    probes: { loose: { look: isLoose } },
    after: [bash(forbidden, "after-all")],
  });
  expect(session.requests.at(-1)?.body).not.toMatch(/ended False|left \[\d/);
  expect(stage.call("after-all")?.verdict).toBe("deny");
  expect(isModeOver(stage)).toBe(false);
});

it("forged records give nothing, or are listed by verify", async () => {
  const stage = withPassphrase({ ...FILES, ...RECORD_FILES });
  const session = await expectEnds(FORGED_RECORDS, {
    stage,
    prompt: PERSISTENT,
    probes: { ...DIRECTORIES, forbidden: run(forbidden) },
    before: [...breaking(stage), bash("python3 loosen.py")],
    after: [{ text: "Done." }],
  });
  // On the plain lane a made-up record ends a mode; there it is only listed.
  if (laneOfRun() === "fast") expect(session.requests.at(-1)?.body).toContain("Persistent mode 1/");
  const listed = stage.sekisho("audit", "verify").stdout;
  expect(forged.filter(({ rid }) => !listed.includes(rid)).map(({ name }) => name)).toEqual([]);
});

it("commands aimed at the client's process are refused", () =>
  expectEnds(HOST_PROCESS, { stage: openStage(), probes: {} }));

it.skipIf(!hasTmux)("keys for a client in a pane are refused, and none arrives", async () => {
  const stage = openStage();
  const room = openRoom(stage);
  const held = await room.seat("held", { text: "Who said that?" });
  const socket = room.tmux("display-message", "-p", "#{socket_path}").trim();
  await expectEnds(keystrokes(`-S ${socket}`, "team:held"), { stage, probes: {} });
  expect(held.model.requests).toEqual([]);
  expect(held.screen()).toMatch(/^❯\s*$/m);
});

it("an honest session has nothing that verify lists, and its mode ends", async () => {
  const stage = openStage(FILES);
  const done = { text: "<promise>DONE</promise>" };
  const session = await stage.play({ prompt: PERSISTENT }, [
    use("Read", { file_path: join(stage.project, "answer.js") }),
    use("Write", { file_path: join(stage.project, "answer.js"), content: "module.exports = 42;\n" }),
    { text: "Stopping early." },
    bash("npm test"),
    done,
  ]);
  expect(session.requests.some(({ body }) => body.includes("Persistent mode 1/"))).toBe(true);
  const [id] = stage.audit().flatMap(({ event, session_id: one }) => (event === "Stop" ? [one] : []));
  await stage.play({ flags: ["--resume", id ?? ""], prompt: "thanks" }, [bash("ls"), { text: "You are welcome." }]);
  expect(stage.sekisho("mode", "list", "--json").stdout).not.toContain("persistent");
  expect(stage.audit().filter(({ kind }) => kind === "gap")).toEqual([]);
  expect(stage.sekisho("audit", "verify")).toMatchObject({ code: 0, stderr: "" });
});
