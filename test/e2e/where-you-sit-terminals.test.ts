/**
 * Real terminals in which a person sits: tmux, screen, ssh, a container with processes of its own. Every command for
 * people must work there, with the passphrase where one is set. A place whose program is missing is skipped.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../until.ts";
import { forPeople } from "./machine.ts";
import { program } from "./program.ts";
import { openStage, type Stage } from "./stage.ts";

const PHRASE = "four words are enough";

/** Each ends with 0, so that the last one removes the hooks. */
const VERBS: readonly string[] = [
  "pause",
  "cancel",
  "stance building",
  "config set profile oath",
  "verify",
  "init --yes --lane plain",
  "audit prune",
  "uninstall",
];

const has = (name: string, ...args: readonly string[]): boolean => spawnSync(name, args).error === undefined;
const isRoot = process.geteuid?.() === 0;
const SSHD = "/usr/sbin/sshd";

/** LINE runs the commands; TMUX is the server of this test, whose pane shows them and takes what is typed. */
const PLACES: readonly (readonly [name: string, line: string, missing: string | false])[] = [
  ["tmux that you started", "LINE", false],
  ["tmux that was started with a cleared environment", "env -i PATH=$PATH TERM=screen LINE", false],
  ["screen that you started", "screen -S sekisho-test LINE", !has("screen", "-v") && "no screen"],
  ["a terminal of an editor, simulated by a process of its name", "cp /bin/sh ./code && ./code -c 'LINE; :'", false],
  ["ssh", "SSH LINE", (!existsSync(SSHD) || !isRoot) && "no sshd that this user may start"],
  [
    "a container whose process 1 starts shells",
    "unshare --pid --fork --mount-proc sh -c 'LINE; :'",
    (!isRoot || !has("unshare", "--version")) && "only root can make one here",
  ],
  [
    "a sandbox with processes of its own",
    "bwrap --bind / / --dev-bind /dev /dev --unshare-pid --proc /proc sh -c 'LINE; :'",
    spawnSync("bwrap", ["--bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"]).status !== 0 &&
      "no bwrap that this user may start",
  ],
];

let panes = 0;

/** Runs all verbs in one terminal, and types the passphrase as often as it is asked for. */
async function typed(stage: Stage, line: string, verbs = VERBS): Promise<readonly string[]> {
  const server = `sekisho-${process.pid}-${++panes}`;
  const [out, shown] = [join(stage.root, "out.txt"), join(stage.root, "shown.txt")];
  const commands = verbs.map((verb) => `${program.node} ${program.bundle} ${verb}; echo "$? ${verb}" >> ${out}`);
  const kept = ["PATH", "HOME", "XDG_STATE_HOME", "TMPDIR"].map((name) => `export ${name}='${stage.env[name] ?? ""}'`);
  writeFileSync(join(stage.root, "run.sh"), [...kept, `cd ${stage.project}`, ...commands, ""].join("\n"));
  writeFileSync(out, "");
  const tmux = (...args: readonly string[]): string =>
    spawnSync("tmux", ["-L", server, "-f", "/dev/null", ...args], { env: stage.env, encoding: "utf8" }).stdout;
  onTestFinished(() => void tmux("kill-server"));
  const ssh = line.includes("SSH") ? await sshTo(stage) : "";
  const inside = line.replace("SSH", ssh).replace("LINE", `sh ${join(stage.root, "run.sh")}`);
  tmux("new-session", "-d", "-x", "200", "-y", "50", "-s", "sit", "sh");
  tmux("pipe-pane", "-t", "sit", `cat >> ${shown}`);
  tmux("send-keys", "-t", "sit", "-l", inside);
  tmux("send-keys", "-t", "sit", "Enter");
  let answered = 0;
  const asked = (): number => (existsSync(shown) ? readFileSync(shown, "utf8").split("Passphrase for").length - 1 : 0);
  const ended = (): readonly string[] => readFileSync(out, "utf8").trim().split("\n");
  await until(
    () => {
      if (asked() > answered) {
        answered += 1;
        tmux("send-keys", "-t", "sit", "-l", PHRASE);
        tmux("send-keys", "-t", "sit", "Enter");
      }
      return ended().length >= verbs.length;
    },
    `the end of all commands after ${answered} passphrases; the terminal shows: ${tmux("capture-pane", "-p", "-t", "sit")}`,
  );
  return [...ended(), `asked ${answered}`];
}

/** A server for this test only, with a key of its own. */
async function sshTo(stage: Stage): Promise<string> {
  const place = join(stage.root, "ssh");
  mkdirSync(place);
  mkdirSync("/run/sshd", { recursive: true });
  for (const name of ["host", "key"])
    spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(place, name)]);
  const port = await freePort();
  const settings = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${join(place, "host")}`,
    `AuthorizedKeysFile ${join(place, "key.pub")}`,
    `PidFile ${join(place, "pid")}`,
    "StrictModes no",
    "UsePAM no",
    "PermitRootLogin yes",
    "",
  ];
  writeFileSync(join(place, "config"), settings.join("\n"));
  const server = spawn(SSHD, ["-D", "-f", join(place, "config")], { stdio: "ignore" });
  onTestFinished(() => void server.kill());
  await until(() => existsSync(join(place, "pid")), "the ssh server");
  const options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR", "IdentitiesOnly=yes"];
  const given = options.map((option) => `-o ${option}`).join(" ");
  return `ssh -tt ${given} -i ${join(place, "key")} -p ${port} ${userInfo().username}@127.0.0.1`;
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

/** A host was seen here before, so that a process may be left behind by its agent. */
function seen(phrase: boolean): Stage {
  const stage = openStage({ registered: false });
  stage.write("package.json", JSON.stringify({ scripts: { test: "node test.js" } }));
  stage.write("test.js", "");
  const args = ["init", "--yes", "--lane", "plain", ...(phrase ? ["--passphrase-stdin"] : [])];
  const init = stage.run("setsid", ["--wait", program.node, program.bundle, ...args], { input: `${PHRASE}\n` });
  expect(init).toMatchObject({ code: 0, stderr: "" });
  stage.send("SessionStart", { source: "startup" });
  return stage;
}

const ends = (verbs: readonly string[], code: number): readonly string[] => verbs.map((verb) => `${code} ${verb}`);
/** Without a passphrase the first filter alone decides, and it is the same for all. */
const SOME = ["pause", "audit prune", "uninstall"];
/** Its process 1 starts no shells for people, so a shell below it may be one that an agent left behind. */
const REFUSED = ["a sandbox with processes of its own"];

describe.skipIf(forPeople.skip || !has("tmux", "-V"))(`a person's terminal${forPeople.why}`, () => {
  for (const [name, line, missing] of PLACES) {
    it.skipIf(missing !== false)(
      `${name}: commands without a passphrase${missing ? ` (skipped: ${missing})` : ""}`,
      async () => {
        const code = REFUSED.includes(name) ? 1 : 0;
        expect(await typed(seen(false), line, SOME)).toEqual([...ends(SOME, code), "asked 0"]);
      },
    );

    it.skipIf(missing !== false)(`${name}: every command works with the passphrase`, async () => {
      expect(await typed(seen(true), line)).toEqual([...ends(VERBS, 0), `asked ${VERBS.length}`]);
    });
  }
});
