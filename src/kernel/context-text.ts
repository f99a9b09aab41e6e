/** How the files are read in which an agent keeps its own thread: entries of progress, and the plan's date. */

export interface Entry {
  /** Without its marks. */
  readonly heading: string;
  /** All of it, with its line ends. */
  readonly text: string;
}

export interface Progress {
  /** What stands above the first entry. */
  readonly head: string;
  readonly entries: readonly Entry[];
}

/** A heading in a fenced block is somebody's example. */
const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^## +(.*)$/;

/** Total, and nothing is lost by it: head and entries together are the text. */
export function progressIn(text: string): Progress {
  const parts: string[] = [""];
  let fence = "";
  for (const line of text.split(/(?<=\n)/)) {
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (fence === "" && HEADING.test(line.trimEnd())) parts.push("");
    else if (fence === "") fence = mark;
    else if (mark.startsWith(fence)) fence = "";
    parts.push(`${parts.pop()}${line}`);
  }
  const [head = "", ...texts] = parts;
  return { head, entries: texts.map((entry) => ({ heading: headingOf(entry), text: entry })) };
}

function headingOf(entry: string): string {
  const [first = ""] = entry.split("\n");
  return HEADING.exec(first.trimEnd())?.[1]?.trim() ?? "";
}

const STAMP = /^Last compacted: [^\r\n]*/m;

/** The plan with the date of its last compaction: where it stood before, or behind the first line. */
export function withStamp(plan: string, when: string): string {
  const stamp = `Last compacted: ${when}`;
  if (STAMP.test(plan)) return plan.replace(STAMP, stamp);
  const end = plan.includes("\r\n") ? "\r\n" : "\n";
  const first = /^[^\n]*\n/.exec(plan)?.[0] ?? (plan === "" ? "" : `${plan}${end}`);
  return `${first}${stamp}${end}${plan.slice(first.length)}`;
}
