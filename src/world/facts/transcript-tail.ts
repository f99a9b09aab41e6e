/** The end of a transcript, line by line. An unreadable transcript yields no lines, which never counts as a pass. */
import { fromHome } from "../../lib/paths.ts";
import { bytesAt, withTranscriptFile } from "../machine/transcript-file.ts";

const TAIL_BYTES = 1024 * 1024;

/** Parsed, oldest first; lines that are not JSON are skipped. */
export function transcriptTail(path: string, home: string, bytesMax = TAIL_BYTES): readonly unknown[] {
  return tailLines(fromHome(path, home), bytesMax).flatMap((line) => parsed(line));
}

export function tailLines(path: string, bytesMax: number): readonly string[] {
  if (!path.startsWith("/")) return [];
  try {
    return (withTranscriptFile(path, (fd, size) => tailOf(fd, size, bytesMax)) ?? "").split("\n");
  } catch (error) {
    // Unreadable, a link or a pipe: the caller gets no lines instead of an error.
    void error;
    return [];
  }
}

/** Reads one extra byte to tell whether the first line is complete. */
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
    // A truncated line, or one the host did not write.
    return [];
  }
}
