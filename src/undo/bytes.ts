/** Names of files are bytes: here each character of a text stands for one byte, so that none is lost or changed. */

export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** As the file system takes it. */
export function raw(bytes: string): Buffer {
  return Buffer.from(bytes, "latin1");
}

/** As a person reads it. */
export function readable(bytes: string): string {
  return raw(bytes).toString("utf8");
}

/** False for names that are no text: they cannot be handed to another program as words. */
export function isText(bytes: string): boolean {
  return bytesOf(readable(bytes)) === bytes;
}

export function isBelow(path: string, directory: string): boolean {
  return path.startsWith(directory === "/" ? "/" : `${directory}/`);
}
