/** All of standard input, once, without ever waiting for ever. */
import { readSync } from "node:fs";
import { utf8 } from "./kernel/bytes.ts";

/**
 * A stream that stays open is done when what came is a whole JSON text; a client may forget to close it. `scratch` is
 * memory to read into.
 */
export function readInput(msMax: number, scratch: Buffer): string {
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
    if (waitMs > 20 && chunks.length > 0 && isJson(Buffer.concat(chunks).toString())) break;
    if (Date.now() > deadline) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    waitMs = Math.min(waitMs * 2, 50);
  }
  return Buffer.concat(chunks).toString();
}

/** The client writes its object at once: when that is whole, the end need not be waited for. */
function wholeObject(bytes: Buffer, count: number): string | undefined {
  if (count === bytes.length) return undefined;
  const last = bytes[count - 1] === LINE_FEED ? count - 2 : count - 1;
  if (bytes[last] !== CLOSING_BRACE) return undefined;
  const text = utf8(bytes, 0, count);
  return isJson(text) ? text : undefined;
}

const CLOSING_BRACE = 0x7d;
const LINE_FEED = 0x0a;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
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
 * The client hands us a blocking socket, and a blocking read cannot be interrupted. Opening it as a pipe handle makes
 * it non-blocking as a side effect; the ordinary stream would do the same but costs 6 ms of start-up. A plain file
 * refuses and needs none of this. Where the handle is not to be had the read blocks, and the client's own time-out is
 * the only bound.
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
