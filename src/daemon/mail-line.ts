/** A line to the daemon for messages. Only a daemon that proves itself on this very connection is told anything. */
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import type { Socket } from "node:net";
import { readDoor, readKey } from "../store/door.ts";
import { type Environment, stateRoot } from "../world/machine/places.ts";
import { isProven } from "./challenge.ts";

export const MAIL_PROTOCOL = "sekisho-mail";
export const PROOF_HEADER = "Sekisho-Proof";

/** The first line: which process sends, and where it would store messages itself. */
export interface Hello {
  readonly pid: number;
  readonly project: string;
  readonly journal: string;
  readonly settingsFiles: readonly string[];
}

export interface SentTo {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  /** The recipient as the sender named it. */
  readonly target: string;
}

export type MailAnswer =
  /** Stored and flushed. */
  | { readonly n: number; readonly sent: readonly SentTo[] }
  | { readonly n: number; readonly problem: string }
  /** Not stored: the sender must do it. */
  | { readonly n: number; readonly elsewhere: string };

/** `unsent`: nothing was handed over. `unanswered`: nobody knows whether it was stored. */
export type Posted = MailAnswer | "unsent" | "unanswered";

export interface MailLine {
  /** Waits until the line stands, or there is none, or the time is over. */
  ready(ms: number): Promise<void>;
  post(parcel: object): Promise<Posted>;
  close(): void;
}

const ANSWER_MS = 2000;
/** Longer than the daemon may take, so that it never stores what its sender stores by another way. */
const PATIENCE_MS = 3000;
const AGAIN_MS = 250;
const AGAIN_MS_MAX = 4000;

interface Open {
  readonly socket: Socket;
  readonly answers: Map<number, (answer: Posted) => void>;
}

/** Connects at once, and again whenever the line breaks. */
export function mailLine(env: Environment, hello: Hello): MailLine {
  let open: Open | undefined;
  let isOver = false;
  let pause = AGAIN_MS;
  let again: NodeJS.Timeout | undefined;
  let count = 0;
  let trying: Promise<void>;
  const lost = (): void => {
    open = undefined;
    if (isOver) return;
    again = setTimeout(() => {
      trying = tryNow();
    }, pause);
    again.unref();
    pause = Math.min(pause * 2, AGAIN_MS_MAX);
  };
  const tryNow = async (): Promise<void> => {
    const socket = await connected(env);
    if (!socket) return lost();
    if (isOver) return void socket.destroy();
    pause = AGAIN_MS;
    open = lineOn(socket, lost);
    socket.write(`${JSON.stringify(hello)}\n`);
  };
  trying = tryNow();
  return {
    async ready(ms) {
      const over = new AbortController();
      const time = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        over.signal.addEventListener("abort", () => clearTimeout(timer));
      });
      await Promise.race([trying, time]);
      over.abort();
    },
    post(parcel) {
      const line = open;
      if (!line) return Promise.resolve("unsent");
      const n = ++count;
      return new Promise((resolve) => {
        const late = setTimeout(() => line.socket.destroy(), PATIENCE_MS);
        line.answers.set(n, (answer) => {
          clearTimeout(late);
          line.answers.delete(n);
          resolve(answer);
        });
        line.socket.write(`${JSON.stringify({ n, parcel, deadline: Date.now() + ANSWER_MS })}\n`);
      });
    },
    close() {
      isOver = true;
      clearTimeout(again);
      open?.socket.destroy();
    },
  };
}

function lineOn(socket: Socket, onLost: () => void): Open {
  const answers: Open["answers"] = new Map();
  let rest = "";
  socket.setNoDelay(true);
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      const answer = JSON.parse(text) as MailAnswer;
      answers.get(answer.n)?.(answer);
    }
  });
  socket.on("end", () => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    onLost();
    for (const resolve of [...answers.values()]) resolve("unanswered");
  });
  return { socket, answers };
}

const CONNECT_MS = 1500;

/** Undefined if there is no daemon, or something else holds its port, or it is of a version without messages. */
function connected(env: Environment): Promise<Socket | undefined> {
  const [door, key] = [readDoor(stateRoot(env)), readKey(stateRoot(env))];
  if (!door || key === undefined) return Promise.resolve(undefined);
  const nonce = randomBytes(16).toString("hex");
  const headers = { Connection: "Upgrade", Upgrade: MAIL_PROTOCOL, Authorization: `Bearer ${door.token}` };
  return new Promise((resolve) => {
    const asking = request({ host: "127.0.0.1", port: door.port, path: `/mail/${nonce}`, headers, agent: false });
    const timer = setTimeout(() => asking.destroy(new Error("no answer")), CONNECT_MS);
    const end = (socket: Socket | undefined): void => {
      clearTimeout(timer);
      resolve(socket);
    };
    asking.on("upgrade", (response, socket) => {
      const shown = response.headers[PROOF_HEADER.toLowerCase()];
      const isOurs = typeof shown === "string" && isProven(key, nonce, door.port, proofIn(shown));
      if (!isOurs) socket.destroy();
      end(isOurs ? (socket as Socket) : undefined);
    });
    asking.on("response", (response) => {
      response.destroy();
      end(undefined);
    });
    asking.on("error", () => end(undefined));
    asking.end();
  });
}

function proofIn(shown: string): unknown {
  try {
    return JSON.parse(Buffer.from(shown, "base64url").toString());
  } catch {
    return undefined;
  }
}
