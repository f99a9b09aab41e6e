/** Of skills or agents that would serve, those that a session has, as the client calls them. */

/** Our plugin's own first, then one of that name that somebody else has put there. */
export function nameable(wanted: readonly string[], there: readonly string[]): readonly string[] {
  return wanted.flatMap((name) => [`sekisho:${name}`, name].find((known) => there.includes(known)) ?? []);
}
