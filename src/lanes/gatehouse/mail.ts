/**
 * Messages of agents through the daemon: many senders share one flush. A sender opens a line (an HTTP upgrade), says which
 * process and project it is, and then sends a message per line; each is answered after the flush. See ADR 0057.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { Problem } from "../../app/problem.ts";
import { type Identity, NONCE, proofOf } from "../../daemon/challenge.ts";
import { type Hello, MAIL_PROTOCOL, type MailAnswer, PROOF_HEADER } from "../../daemon/mail-line.ts";
import type { Line } from "../../world/machine/socket-owner.ts";
import { lineOf, refusalOf } from "./app.ts";
import type { Store } from "./mail-store.ts";

interface Mailroom {
  readonly port: number;
  readonly token: string;
  readonly key: string;
  readonly identity: Identity;
  readonly isLeaving: () => boolean;
  readonly store: Store;
}

/** An open line, from its first line of text on. */
interface Sender {
  readonly socket: Duplex;
  readonly line: Line;
  hello: Hello | undefined;
  rest: string;
  /** Its messages that are not answered yet. */
  open: number;
}

interface Waiting {
  readonly sender: Sender;
  readonly text: string;
}

const LINE_CHARS_MAX = 64 * 1024;
/** A sender with more than this waits: it can fill neither our memory nor all batches. */
const OPEN_MAX = 256;
/** Answers that a sender doesn't read. */
const UNREAD_BYTES_MAX = 1024 * 1024;
/** Events of hosts are answered between two batches. */
const BATCH_MAX = 64;
const MAIL = /^\/mail\/(?<nonce>[^/?]*)$/;

export interface Mail {
  open(request: IncomingMessage, socket: Duplex): void;
  /** Another worker has taken over: senders are asked to connect again. */
  leave(): void;
}

export function mailroom({ port, token, key, identity, isLeaving, store }: Mailroom): Mail {
  const senders = new Set<Sender>();
  const waiting: Waiting[] = [];
  let isWorking = false;
  /** While one batch is flushed, the next one gathers. */
  const work = async (): Promise<void> => {
    if (isWorking) return;
    isWorking = true;
    try {
      while (waiting.length > 0) await batch(waiting.splice(0, BATCH_MAX), store);
    } finally {
      isWorking = false;
    }
    if (isLeaving()) end();
  };
  const end = (): void => senders.forEach(({ socket }) => void socket.end());
  const hear = (sender: Sender, chunk: string): void => {
    const lines = `${sender.rest}${chunk}`.split("\n");
    sender.rest = lines.pop() ?? "";
    if (sender.rest.length > LINE_CHARS_MAX || lines.some(({ length }) => length > LINE_CHARS_MAX)) {
      sender.socket.destroy();
      return;
    }
    for (const text of lines) waiting.push({ sender, text });
    sender.open += lines.length;
    if (sender.open > OPEN_MAX) sender.socket.pause();
    // What other senders have written by now is in the same batch.
    if (lines.length > 0 && !isWorking) setImmediate(() => void work().catch(end));
  };
  return {
    open(request, socket) {
      const nonce = MAIL.exec(request.url ?? "")?.groups?.["nonce"] ?? "";
      const refused = refusalOf(request, { port, token })?.status ?? (NONCE.test(nonce) ? undefined : 400);
      socket.on("error", () => socket.destroy());
      if (refused !== undefined) {
        socket.end(`HTTP/1.1 ${refused} no\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      const proof = { ...identity, proof: proofOf(key, nonce, port, identity) };
      const shown = Buffer.from(JSON.stringify(proof)).toString("base64url");
      const head = [
        "HTTP/1.1 101 go on",
        "Connection: Upgrade",
        `Upgrade: ${MAIL_PROTOCOL}`,
        `${PROOF_HEADER}: ${shown}`,
      ];
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      const sender: Sender = { socket, line: lineOf(request.socket, port), hello: undefined, rest: "", open: 0 };
      senders.add(sender);
      socket.on("close", () => void senders.delete(sender));
      // Node allows no encoding on the socket of a request.
      const decoder = new StringDecoder("utf8");
      socket.on("data", (chunk: Buffer) => hear(sender, decoder.write(chunk)));
      socket.on("end", () => socket.end());
    },
    leave() {
      if (!isWorking) end();
    },
  };
}

async function batch(some: readonly Waiting[], store: Store): Promise<void> {
  const answers = some.map(({ sender, text }) => ({ sender, answer: answerTo(sender, text, store) }));
  const fault = await store.flush();
  for (const { sender, answer } of answers) say(sender, fault === undefined ? answer : unflushed(answer, fault));
}

function say(sender: Sender, answer: MailAnswer | undefined): void {
  const { socket } = sender;
  if (answer && !socket.destroyed) socket.write(`${JSON.stringify(answer)}\n`);
  if (socket.writableLength > UNREAD_BYTES_MAX) socket.destroy();
  sender.open--;
  if (sender.open <= OPEN_MAX && socket.isPaused()) socket.resume();
}

/** Undefined for the first line, which is not answered. */
function answerTo(sender: Sender, text: string, store: Store): MailAnswer | undefined {
  const value = valueIn(text);
  if (!sender.hello) {
    sender.hello = helloIn(value);
    if (!sender.hello) sender.socket.destroy();
    return undefined;
  }
  const { n: given, parcel, deadline = 0 } = value as { n?: unknown; parcel?: unknown; deadline?: number };
  const n = typeof given === "number" ? given : 0;
  try {
    // Its sender has given up and takes another way.
    if (!(Date.now() < deadline)) return { n, elsewhere: "too late" };
    return { n, ...store.keep(sender, sender.hello, parcel) };
  } catch (error) {
    if (error instanceof Problem) return { n, problem: error.message };
    // The sender stores it by itself and meets the cause there.
    return { n, elsewhere: error instanceof Error ? error.message : String(error) };
  }
}

function helloIn(value: object): Hello | undefined {
  const { pid, project, journal, settingsFiles } = value as Partial<Record<keyof Hello, unknown>>;
  if (!Number.isSafeInteger(pid) || typeof project !== "string" || typeof journal !== "string") return undefined;
  if (!project.startsWith("/") || !Array.isArray(settingsFiles)) return undefined;
  // Making a text of another value may throw, and that would end the batch of all senders.
  if (!settingsFiles.every((file) => typeof file === "string")) return undefined;
  return { pid: Number(pid), project, journal, settingsFiles };
}

/** The next sender with this id finds the message and flushes it. */
function unflushed(answer: MailAnswer | undefined, fault: string): MailAnswer | undefined {
  return answer && "sent" in answer ? { n: answer.n, problem: fault } : answer;
}

function valueIn(text: string): object {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {};
  }
}
