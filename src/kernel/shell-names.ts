/** A table of command names. A process that has just started pays far less for it than for a pattern of alternatives. */
export function namesIn(line: string): ReadonlySet<string> {
  return new Set(line.split(" "));
}
