/** Reads standard input once, with a time limit. */
import { readSync } from "node:fs";
import { utf8 } from "../../lib/bytes.ts";

/** What the host wrote, and what it means if that is known already. */
export interface Input {
  readonly text: string;
  readonly json?: unknown;
}

/**
 * An open stream counts as complete when it contains a whole JSON text, because the host may not close it. `scratch` is
 * the read buffer.
 */
export function readInput(msMax: number, scratch: Buffer): Input {
  doNotBlock();
  const deadline = Date.now() + msMax;
  const chunks: Buffer[] = [];
  let waitMs = 0.2;
  for (let count = readSome(scratch); count !== 0; count = readSome(scratch)) {
    if (count > 0) {
      const whole = chunks.length === 0 ? wholeObject(scratch, count) : undefined;
      if (whole !== undefined) return whole;
      chunks.push(Buffer.from(scratch.subarray(0, count)));
      waitMs = 0.2;
      continue;
    }
    if (waitMs > 20 && chunks.length > 0 && inJson(Buffer.concat(chunks).toString()).json !== undefined) break;
    if (Date.now() > deadline) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    waitMs = Math.min(waitMs * 2, 50);
  }
  return { text: Buffer.concat(chunks).toString() };
}

/** The host writes its object in one go, so a complete object needs no wait for the end of the stream. */
function wholeObject(bytes: Buffer, count: number): Input | undefined {
  if (count === bytes.length) return undefined;
  const last = bytes[count - 1] === LINE_FEED ? count - 2 : count - 1;
  if (bytes[last] !== CLOSING_BRACE) return undefined;
  const input = inJson(utf8(bytes, 0, count));
  return input.json === undefined ? undefined : input;
}

const CLOSING_BRACE = 0x7d;
const LINE_FEED = 0x0a;

function inJson(text: string): Input {
  try {
    return { text, json: JSON.parse(text) };
  } catch {
    return { text };
  }
}

/** Bytes read, 0 at the end, -1 when there is nothing yet. */
function readSome(into: Buffer): number {
  try {
    return readSync(0, into, 0, into.length, null);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EAGAIN") return -1;
    if (code === "EOF" || code === "EISDIR" || code === "EBADF") return 0;
    throw error;
  }
}

/**
 * The host passes a blocking socket, and a blocking read cannot be interrupted. Opening it as a pipe handle makes it
 * non-blocking; the ordinary stream would do the same but costs 6 ms at startup. A plain file fails here and does not
 * need it. Without the handle the read blocks, and only the host's timeout limits it.
 */
function doNotBlock(): void {
  try {
    const { binding } = process as unknown as { binding(name: "pipe_wrap"): PipeWrap };
    const { Pipe, constants } = binding("pipe_wrap");
    new Pipe(constants.SOCKET).open(0);
  } catch (error) {
    void error;
  }
}

interface PipeWrap {
  readonly Pipe: new (type: number) => { open(fd: number): number };
  readonly constants: { readonly SOCKET: number };
}
