/** Ways to break a real daemon, each as it could happen. */
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { until } from "../until.ts";
import { copyOf, endHouse, type House } from "./house.ts";
import { takePort } from "./house-turn.ts";
import { program } from "./program.ts";

/** A copy of the program with a modified daemon. */
export function otherProgram({ stage }: House, change: (text: string) => string): typeof program {
  const copy = copyOf(stage, "other");
  const path = join(dirname(copy.bundle), "gatehouse.cjs");
  fs.writeFileSync(path, change(fs.readFileSync(path, "utf8")));
  return copy;
}

/** Kills the daemon and starts that of the other program. */
export async function replaceBy(house: House, files: typeof program): Promise<void> {
  const { stage, directory } = house;
  await endHouse(stage);
  fs.rmSync(join(directory, "run.json"));
  fs.writeFileSync(join(directory, "program.json"), JSON.stringify({ bundle: files.bundle }));
  spawn(files.node, [files.bundle, "serve"], { env: stage.env, stdio: "ignore", detached: true }).unref();
  await until(() => fs.existsSync(join(directory, "run.json")), "the other gatehouse");
}

export const answering = (house: House): Promise<void> =>
  until(async () => {
    try {
      return (await fetch(`http://127.0.0.1:${house.door.port}/challenge/${"0".repeat(32)}`)).ok;
    } catch {
      return false;
    }
  }, "an answer");

async function holdInSilence(port: number): Promise<void> {
  const server: Server = createServer((socket) => onTestFinished(() => void socket.destroy()));
  onTestFinished(() => void server.close());
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        server.once("error", () => resolve(false));
        server.listen(port, "127.0.0.1", () => resolve(true));
      }),
    "the port",
  );
}

const version = (
  JSON.parse(fs.readFileSync(join(dirname(program.bundle), "manifest.json"), "utf8")) as { version: string }
).version;
export const ofVersion = (other: string) => (text: string) => text.replaceAll(`"${version}"`, `"${other}"`);
const WORKER = 'process.argv[2]==="worker"';
const HANGS = `if(${WORKER})for(;;);`;
const FAILS = `if(${WORKER})throw new Error("broken on purpose");`;
const SLOW = `{const{Server:S}=require("node:http"),e=S.prototype.emit;S.prototype.emit=function(n,...a){
  if(n==="request")for(const t=Date.now();Date.now()-t<250;);return e.call(this,n,...a)}}`;

const changeDoor =
  (fields: object) =>
  ({ directory }: House): void => {
    const path = join(directory, "door.json");
    fs.writeFileSync(path, JSON.stringify({ ...JSON.parse(fs.readFileSync(path, "utf8")), ...fields }));
  };
const changeHooks =
  (how: (text: string, house: House) => string) =>
  (house: House): void =>
    fs.writeFileSync(house.settings, how(fs.readFileSync(house.settings, "utf8"), house));
const freePort = 33_000 + (process.pid % 5000);
const secret = "another-secret-of-this-test";

type Break = (house: House) => unknown;

/** Each row: the damage, how the doctor names it, and how the test causes it. */
export const WAYS: readonly (readonly [string, RegExp, Break])[] = [
  ["killed", /^down: nobody listens on port/, ({ stage }) => endHouse(stage)],
  [
    "a stranger that says yes to everything",
    /^a stranger answers on port/,
    (house) => takePort(house, (_, response) => response.end("{}")),
  ],
  [
    "a stranger that says nothing",
    /^silent: somebody holds port/,
    async (house) => {
      await endHouse(house.stage);
      await holdInSilence(house.door.port);
    },
  ],
  [
    "an older version",
    /^version 0\.0\.9 is running, and this is/,
    async (house) => {
      await replaceBy(house, otherProgram(house, ofVersion("0.0.9")));
      await answering(house);
    },
  ],
  [
    "another build of this version",
    /^another build of version/,
    async (house) => {
      const build = /build:"([0-9a-f]{12})"/;
      await replaceBy(
        house,
        otherProgram(house, (text) => text.replace(build, 'build:"000000000000"')),
      );
      await answering(house);
    },
  ],
  [
    "a worker that cannot start",
    /^silent: somebody holds port/,
    (house) =>
      replaceBy(
        house,
        otherProgram(house, (text) => FAILS + text),
      ),
  ],
  [
    "a worker that hangs from the beginning",
    /^silent: somebody holds port/,
    (house) =>
      replaceBy(
        house,
        otherProgram(house, (text) => HANGS + text),
      ),
  ],
  [
    "a supervisor that was stopped",
    /^silent: somebody holds port/,
    (house) => process.kill(house.supervisor(), "SIGSTOP"),
  ],
  ["the door is gone", /there is no door to it/, ({ directory }) => fs.rmSync(join(directory, "door.json"))],
  [
    "the door is torn",
    /there is no door to it/,
    ({ directory }) => fs.writeFileSync(join(directory, "door.json"), "{"),
  ],
  [
    "the door was exchanged",
    /^the hooks call at port \d+, and the gatehouse's is/,
    changeDoor({ port: freePort, token: secret, key: secret }),
  ],
  ["the key was exchanged", /^a stranger answers on port/, changeDoor({ key: secret })],
  ["the token was exchanged", /with another token than the gatehouse's/, changeDoor({ token: secret })],
  [
    "the hooks have another token",
    /with another token than the gatehouse's/,
    changeHooks((text, { door }) => text.replaceAll(door.token, secret)),
  ],
  [
    "the hooks have another port",
    /^the hooks call at port \d+, and the gatehouse's is/,
    changeHooks((text, { door }) => text.replaceAll(`127.0.0.1:${door.port}/`, `127.0.0.1:${freePort}/`)),
  ],
  [
    "slow",
    /^slow: it took \d{3} ms/,
    async (house) => {
      await replaceBy(
        house,
        otherProgram(house, (text) => SLOW + text),
      );
      await answering(house);
    },
  ],
];
