/** File names are bytes. In these strings each character stands for one byte, so that no name is changed. */

export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** As the file system expects it. */
export function raw(bytes: string): Buffer {
  return Buffer.from(bytes, "latin1");
}

/** As text for people. */
export function readable(bytes: string): string {
  return raw(bytes).toString("utf8");
}

/** False for names that are not valid UTF-8; they cannot be passed to another program as text. */
export function isText(bytes: string): boolean {
  return bytesOf(readable(bytes)) === bytes;
}

export function isBelow(path: string, directory: string): boolean {
  return path.startsWith(directory === "/" ? "/" : `${directory}/`);
}
