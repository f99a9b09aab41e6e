/**
 * Text and bytes through Node's native methods. `toString`, `write`, `indexOf` and `Buffer.from` select the encoding in
 * JavaScript that a fresh process must compile first: 0.1 ms each, at every event.
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

/** Writes at an offset and returns the number of bytes; text that does not fit is dropped. */
export function writeUtf8(into: Uint8Array, text: string, at: number): number {
  return (Buffer.prototype as unknown as Native).utf8Write.call(into, text, at);
}

export function writeLatin1(into: Buffer, text: string, at: number): number {
  return native(into).latin1Write(text, at);
}

export function indexOfByte(bytes: Buffer, byte: number, from = 0): number {
  return Uint8Array.prototype.indexOf.call(bytes, byte, from);
}
