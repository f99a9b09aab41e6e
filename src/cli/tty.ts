/** The person's terminal and standard input. */
import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { Problem } from "../app/problem.ts";

/** Whether questions can be asked: a person reads and types here. */
export function isAttended(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Giving up means no. */
export async function isConfirmed(message: string): Promise<boolean> {
  // Loaded on demand, because few commands ask.
  const { confirm, isCancel } = await import("@clack/prompts");
  const sure = await confirm({ message, initialValue: false });
  return !isCancel(sure) && sure;
}

/**
 * Asks on the terminal for a text that is not shown, also where standard input is something else. Undefined: there is no
 * terminal. Null: the person gave up.
 */
export async function askHidden(question: string): Promise<string | null | undefined> {
  const fd = openTerminal();
  if (fd === undefined) return undefined;
  const terminal = new ReadStream(fd);
  terminal.setRawMode(true);
  writeSync(fd, question);
  try {
    return await typedOn(terminal);
  } finally {
    writeSync(fd, "\r\n");
    terminal.setRawMode(false);
    terminal.destroy();
  }
}

export function hasTerminal(): boolean {
  const fd = openTerminal();
  if (fd !== undefined) closeSync(fd);
  return fd !== undefined;
}

function openTerminal(): number | undefined {
  try {
    return openSync("/dev/tty", "r+");
  } catch (error) {
    // A process without a terminal cannot open it.
    void error;
    return undefined;
  }
}

/** What a key does; every other key that prints is part of the text. */
const KEYS: Readonly<Record<string, "done" | "give-up" | "erase" | "erase-all">> = {
  "\r": "done",
  "\n": "done",
  "\u0003": "give-up",
  "\u0004": "give-up",
  "\u007f": "erase",
  "\b": "erase",
  "\u0015": "erase-all",
};

interface Typed {
  readonly letters: readonly string[];
  /** Set once the person has ended the text or given up. */
  readonly end?: "done" | "give-up";
}

function withKey(typed: Typed, key: string): Typed {
  if (typed.end) return typed;
  const meant = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (meant === "done" || meant === "give-up") return { ...typed, end: meant };
  if (meant === "erase") return { letters: typed.letters.slice(0, -1) };
  if (meant === "erase-all") return { letters: [] };
  return key >= " " ? { letters: [...typed.letters, key] } : typed;
}

function typedOn(terminal: ReadStream): Promise<string | null> {
  terminal.setEncoding("utf8");
  return new Promise((resolve) => {
    let typed: Typed = { letters: [] };
    terminal.on("data", (chunk: string) => {
      typed = [...chunk].reduce(withKey, typed);
      if (typed.end) resolve(typed.end === "done" ? typed.letters.join("") : null);
    });
    terminal.on("end", () => resolve(null));
    terminal.on("error", () => resolve(null));
  });
}

const STDIN = 0;

/** All of standard input; empty where a person would have to type it, or where it cannot be read. */
export function wholeInput(): string {
  try {
    return process.stdin.isTTY === true ? "" : readFileSync(STDIN, "utf8");
  } catch {
    return "";
  }
}

/** A text of any length that somebody pipes in. Unlike `wholeInput`, a text that cannot be read whole is an error. */
export function pipedText(max: number): string {
  const chunks: Buffer[] = [];
  for (let length = 0; ; ) {
    const bytes = Buffer.alloc(65_536);
    const got = readMore(bytes, 0);
    if (got === 0) return Buffer.concat(chunks).toString();
    length += got;
    if (length > max) throw new Problem(`Standard input has more than ${max} bytes.`);
    chunks.push(bytes.subarray(0, got));
  }
}

const LINE_BYTES_MAX = 4096;

/** The first line of standard input, for scripts. */
export function firstLineOfInput(): string {
  const bytes = Buffer.alloc(LINE_BYTES_MAX);
  let end = 0;
  while (end < bytes.length && !bytes.subarray(0, end).includes(0x0a)) {
    const got = readMore(bytes, end);
    if (got === 0) break;
    end += got;
  }
  return bytes.toString("utf8", 0, end).split(/\r?\n/, 1)[0] ?? "";
}

const WAIT_MS = 10;

/** Waits for a writer that is slower than we are. */
function readMore(bytes: Buffer, from: number): number {
  for (;;) {
    try {
      return readSync(STDIN, bytes, from, bytes.length - from, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
}

/** The lines of standard input as they come. One that is longer than `max` characters ends it with an error. */
export async function* linesOfInput(max: number): AsyncGenerator<string> {
  let rest = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) {
    const lines = `${rest}${chunk as string}`.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > max) throw new Problem(`A line of standard input has more than ${max} characters.`);
    yield* lines;
  }
  if (rest !== "") yield rest;
}
