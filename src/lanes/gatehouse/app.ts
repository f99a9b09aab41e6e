/** The daemon's HTTP interface: checks who may call and passes events to the hall. */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { type Identity, NONCE, proofOf, type Seen, same } from "../../daemon/challenge.ts";
import { HOST, hosts, KEY_HEADER } from "../../hosts/index.ts";
import type { Line } from "../../world/machine/socket-owner.ts";

const BODY_CHARS_MAX = hosts[HOST].bodyCharsMax;

export interface Gate {
  readonly port: number;
  readonly token: string;
  readonly key: string;
  readonly identity: Identity;
  /** True when another worker has taken over; connections are closed so that callers reconnect to it. */
  readonly isLeaving: () => boolean;
  /** The answer to one event: a JSON object, or an empty string. */
  readonly seenOf: (host: number) => Seen;
  readonly answer: (question: GateQuestion) => string | Promise<string>;
}

export interface GateQuestion {
  readonly event: string;
  readonly gate: string;
  readonly body: string;
  readonly line: Line;
  /** The person's key, as the hook names it. */
  readonly key?: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

export function doorOf(gate: Gate): RequestListener {
  return (request, response) => {
    const send = ({ status, body }: Answer): void => {
      const type = body.startsWith("{") ? "application/json" : "text/plain; charset=utf-8";
      const length = Buffer.byteLength(body);
      const closing = gate.isLeaving() ? { Connection: "close" } : {};
      // No host reads the date, and making it is a part of every answer.
      response.sendDate = false;
      response.writeHead(status, { "Content-Type": type, "Content-Length": length, ...closing }).end(body);
    };
    // Usually the host hung up. A missing answer blocks where it matters, so nothing is logged.
    const fail = (): void => send({ status: 500, body: "that could not be answered" });
    answerTo(request, gate)
      .then(send, fail)
      .catch(() => response.destroy());
  };
}

/** The accepted requests. Any other query after the path is ignored. */
const CHALLENGE = /^GET \/challenge\/(?<nonce>[^/?]*)(?:\?(?:host=(?<host>\d{1,10})$)?|$)/;
const EVENT = /^POST \/(?<event>[^/?]+)\/(?<kind>[^/?]+)\/[^/?]+(?:\?|$)/;

const FORBIDDEN = 403;

/** Why a request is not heard at all. */
export function refusalOf(
  { headers: { host, origin, authorization = "" } }: IncomingMessage,
  { port, token }: Pick<Gate, "port" | "token">,
): Answer | undefined {
  // A web page can send requests here, but it cannot hide its origin.
  if (host !== `127.0.0.1:${port}` || origin) return { status: FORBIDDEN, body: "not for you" };
  if (!same(authorization, `Bearer ${token}`)) return { status: 401, body: "no token, no passage" };
  return undefined;
}

async function answerTo(request: IncomingMessage, gate: Gate): Promise<Answer> {
  const asked = `${request.method} ${request.url}`;
  const { nonce, host: pid } = CHALLENGE.exec(asked)?.groups ?? {};
  const refused = refusalOf(request, gate);
  if (nonce !== undefined && refused?.status !== FORBIDDEN) return challenge(nonce, pid, gate);
  if (refused) return refused;
  const { event, kind = "" } = EVENT.exec(asked)?.groups ?? {};
  if (event === undefined) return { status: 404, body: "there is nothing here" };
  const body = await bodyOf(request);
  if (body === undefined) return { status: 413, body: "that is too long" };
  const named = request.headers[KEY_HEADER.toLowerCase()];
  const key = typeof named === "string" ? named : undefined;
  const answer = await gate.answer({ event, gate: kind, body, line: lineOf(request.socket, gate.port), key });
  return { status: 200, body: answer === "" ? "{}" : answer };
}

/** With a host's process, the proof also covers what was seen of its sessions. */
function challenge(nonce: string, pid: string | undefined, { key, port, identity, seenOf }: Gate): Answer {
  if (!NONCE.test(nonce)) return { status: 400, body: "a nonce has 32 to 64 hex digits" };
  const seen = pid === undefined ? undefined : seenOf(Number(pid));
  const proof = proofOf(key, nonce, port, identity, seen);
  return { status: 200, body: JSON.stringify({ ...identity, ...(seen && { seen }), proof }) };
}

/** Undefined when it is more than we read. */
function bodyOf(incoming: IncomingMessage): Promise<string | undefined> {
  if (Number(incoming.headers["content-length"] ?? 0) > BODY_CHARS_MAX) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > BODY_CHARS_MAX) resolve(undefined);
      else chunks.push(chunk);
    });
    incoming.on("end", () => resolve(Buffer.concat(chunks).toString()));
    incoming.on("error", reject);
    incoming.on("close", () => reject(new Error("the line broke off")));
  });
}

/** Holds one entry per open connection. */
const lines = new WeakMap<Socket, Line>();

export function lineOf(socket: Socket, ours: number): Line {
  const line = lines.get(socket) ?? { address: socket.remoteAddress ?? "", theirs: socket.remotePort ?? 0, ours };
  lines.set(socket, line);
  return line;
}
