/** Brace expansion of a word as written, before any other expansion. */

const RESULTS_MAX = 64;

/** The expansions of a word; undefined beyond the limit. */
export function expandBraces(spelling: string): string[] | undefined {
  const done: string[] = [];
  const todo = [spelling];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const group = firstGroup(next);
    if (!group) done.push(next);
    else for (const choice of group.choices.reverse()) todo.push(group.before + choice + group.after);
    if (done.length + todo.length > RESULTS_MAX) return undefined;
  }
  return done;
}

interface Group {
  readonly before: string;
  readonly choices: string[];
  readonly after: string;
}

function firstGroup(spelling: string): Group | undefined {
  for (let start = 0; start < spelling.length; start += 1) {
    const next = skipOpaque(spelling, start);
    if (next > start) {
      start = next - 1;
      continue;
    }
    if (spelling.charAt(start) !== "{") continue;
    const group = groupAt(spelling, start);
    if (group) return group;
  }
  return undefined;
}

function groupAt(spelling: string, start: number): Group | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < spelling.length; at = Math.max(at + 1, skipOpaque(spelling, at))) {
    const character = spelling.charAt(at);
    if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    const ends = depth === 0;
    if (!ends && (character !== "," || depth !== 1)) continue;
    choices.push(spelling.slice(from, at));
    from = at + 1;
    if (ends) return finished(spelling, start, at, choices);
  }
  return undefined;
}

function finished(spelling: string, start: number, end: number, choices: string[]): Group | undefined {
  const all = choices.length > 1 ? choices : range(choices[0] ?? "");
  return all && { before: spelling.slice(0, start), choices: all, after: spelling.slice(end + 1) };
}

/** The end of the quoted or substituted text that begins at `at`; `at` itself if none begins there. */
function skipOpaque(spelling: string, at: number): number {
  const character = spelling.charAt(at);
  if (character === "\\") return at + 2;
  if (character === "'" || character === '"' || character === "`") return closing(spelling, at + 1, character);
  const pair = spelling.slice(at, at + 2);
  if (pair === "${") return closing(spelling, at + 2, "}");
  if (pair === "$(") return closing(spelling, at + 2, ")");
  return at;
}

function closing(spelling: string, from: number, mark: string): number {
  const end = spelling.indexOf(mark, from);
  return end < 0 ? spelling.length : end + 1;
}

function range(body: string): string[] | undefined {
  const match = /^(-?\d{1,6}|[a-zA-Z])\.\.(-?\d{1,6}|[a-zA-Z])$/.exec(body);
  const [, first = "", last = ""] = match ?? [];
  if (!match) return undefined;
  const letters = /[a-zA-Z]/.test(first);
  const low = letters ? first.charCodeAt(0) : Number(first);
  const high = letters ? last.charCodeAt(0) : Number(last);
  const count = Math.min(Math.abs(high - low), RESULTS_MAX) + 1;
  const step = high < low ? -1 : 1;
  return Array.from({ length: count }, (_, index) => {
    const value = low + index * step;
    return letters ? String.fromCharCode(value) : String(value);
  });
}
