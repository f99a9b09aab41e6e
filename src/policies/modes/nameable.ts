/** The available ones among the suggested skills or agents, by the host's names. */

/** Prefers our plugin's own over another one of the same name. */
export function nameable(wanted: readonly string[], there: readonly string[]): readonly string[] {
  return wanted.flatMap((name) => [`sekisho:${name}`, name].find((known) => there.includes(known)) ?? []);
}
