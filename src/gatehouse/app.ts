/** The door: who may come in, and what is asked of the hall. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Hono } from "hono";
import { BODY_CHARS_MAX } from "../hosts/claude-code/parse.ts";
import type { Line } from "../world/socket-owner.ts";
import { type Identity, NONCE, proofOf, same } from "./challenge.ts";

export interface Gate {
  readonly port: number;
  readonly token: string;
  readonly key: string;
  readonly identity: Identity;
  /** True when another worker has taken over: whoever comes here is sent there. */
  readonly isLeaving: () => boolean;
  /** The answer to one event: a JSON object, or nothing. */
  readonly answer: (question: GateQuestion) => string | Promise<string>;
}

export interface GateQuestion {
  readonly event: string;
  readonly gate: string;
  readonly body: string;
  readonly line: Line;
}

type Env = { readonly Bindings: { readonly incoming: IncomingMessage } };

export function doorOf(gate: Gate): Hono<Env> {
  const app = new Hono<Env>();
  const own = `127.0.0.1:${gate.port}`;
  app.use(async (context, next) => {
    // As Node has them: a web page's kind of headers is made of these first.
    const { host, origin } = context.env.incoming.headers;
    // A page in a browser can send requests here; it cannot hide where they come from.
    if (host !== own || origin) return context.text("not for you", 403);
    if (gate.isLeaving()) context.header("Connection", "close");
    return next();
  });
  app.get("/challenge/:nonce{[0-9a-f]+}", (context) => {
    const nonce = context.req.param("nonce");
    if (!NONCE.test(nonce)) return context.text("a nonce has 32 to 64 hex digits", 400);
    return context.json({ ...gate.identity, proof: proofOf(gate.key, nonce, gate.port, gate.identity) });
  });
  const bearer = `Bearer ${gate.token}`;
  app.use(async (context, next) =>
    same(context.env.incoming.headers.authorization ?? "", bearer) ? next() : context.text("no token, no passage", 401),
  );
  app.post("/:event/:gate/:remedy", async (context) => {
    const { event, gate: kind } = context.req.param();
    const { incoming } = context.env;
    const body = await bodyOf(incoming);
    if (body === undefined) return context.text("that is too long", 413);
    const answer = await gate.answer({ event, gate: kind, body, line: lineOf(incoming.socket, gate.port) });
    return context.body(answer === "" ? "{}" : answer, 200, { "Content-Type": "application/json" });
  });
  // Most often a client that has hung up. No answer is a refusal where it matters; nothing is written about it.
  app.onError((_error, context) => context.text("that could not be answered", 500));
  return app;
}

/** As Node has it: the way through a web stream costs as much as judging. Undefined when it is more than we read. */
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

/** One for every connection, as long as it lasts. */
const lines = new WeakMap<Socket, Line>();

function lineOf(socket: Socket, ours: number): Line {
  const line = lines.get(socket) ?? { address: socket.remoteAddress ?? "", theirs: socket.remotePort ?? 0, ours };
  lines.set(socket, line);
  return line;
}
