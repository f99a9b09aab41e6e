/** The end of a transcript, line by line as it was written. What cannot be read says nothing, and nothing is not a pass. */
import { fromHome } from "../kernel/paths.ts";
import { bytesAt, withTranscriptFile } from "./transcript-file.ts";

const TAIL_BYTES = 1024 * 1024;

/** Parsed, oldest first; lines that are no JSON are left out. */
export function transcriptTail(path: string, home: string, bytesMax = TAIL_BYTES): readonly unknown[] {
  return tailLines(fromHome(path, home), bytesMax).flatMap((line) => parsed(line));
}

/** As they stand there, oldest first. */
export function tailLines(path: string, bytesMax: number): readonly string[] {
  if (!path.startsWith("/")) return [];
  try {
    return (withTranscriptFile(path, (fd, size) => tailOf(fd, size, bytesMax)) ?? "").split("\n");
  } catch (error) {
    // Not ours to read, a link, a pipe: whoever asks must not be held up by it.
    void error;
    return [];
  }
}

/** One byte more is looked at: only it tells whether the first line is whole. */
function tailOf(fd: number, size: number, bytesMax: number): string {
  const start = Math.max(0, size - bytesMax - 1);
  const text = bytesAt(fd, start, size - start).toString("utf8");
  return start === 0 && size <= bytesMax ? text : text.slice(text.indexOf("\n") + 1 || text.length);
}

function parsed(line: string): readonly unknown[] {
  if (line.trim() === "") return [];
  try {
    return [JSON.parse(line)];
  } catch {
    // Cut off, or written by somebody else.
    return [];
  }
}
