/**
 * Text and bytes by Node's native methods. `toString`, `write`, `indexOf` and `Buffer.from` choose among encodings in
 * JavaScript of Node's own, and a process that has just started compiles that before it runs: a tenth of a millisecond
 * for each, at every event.
 */
interface Native extends Uint8Array {
  utf8Slice(from: number, to: number): string;
  latin1Slice(from: number, to: number): string;
  utf8Write(text: string, at: number): number;
  latin1Write(text: string, at: number): number;
}

const native = (bytes: Buffer): Native => bytes as unknown as Native;

export function utf8(bytes: Buffer, from = 0, to = bytes.length): string {
  return native(bytes).utf8Slice(from, to);
}

export function latin1(bytes: Buffer, from: number, to: number): string {
  return native(bytes).latin1Slice(from, to);
}

/** Writes at a place and says how many bytes it took; what does not fit is left out. */
export function writeUtf8(into: Buffer, text: string, at: number): number {
  return native(into).utf8Write(text, at);
}

export function writeLatin1(into: Buffer, text: string, at: number): number {
  return native(into).latin1Write(text, at);
}

export function indexOfByte(bytes: Buffer, byte: number, from = 0): number {
  return Uint8Array.prototype.indexOf.call(bytes, byte, from);
}
