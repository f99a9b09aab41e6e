/** Parses the files in which an agent keeps its notes: progress entries and the date in the plan. */

export interface Entry {
  /** Without the leading `##`. */
  readonly heading: string;
  /** The full text, with line ends. */
  readonly text: string;
}

export interface Progress {
  /** The text above the first entry. */
  readonly head: string;
  readonly entries: readonly Entry[];
}

/** A heading in a fenced block is an example, not an entry. */
const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^## +(.*)$/;

/** Never throws and loses nothing: head and entries together equal the text. */
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

/** Sets the date of the last compaction in the plan: in its old place, or after the first line. */
export function withStamp(plan: string, when: string): string {
  const stamp = `Last compacted: ${when}`;
  if (STAMP.test(plan)) return plan.replace(STAMP, stamp);
  const end = plan.includes("\r\n") ? "\r\n" : "\n";
  const first = /^[^\n]*\n/.exec(plan)?.[0] ?? (plan === "" ? "" : `${plan}${end}`);
  return `${first}${stamp}${end}${plan.slice(first.length)}`;
}
