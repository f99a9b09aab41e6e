/** Effects through a link that the same line makes: `ln -s .git g && rm -rf g/objects`. */

import { within } from "../../../lib/paths.ts";
import type { Effect } from "../../../reading/operation/effects.ts";

const LINKS_MAX = 20;

/** The same effects, and those on the real paths. */
export function throughLinks(effects: readonly Effect[]): readonly Effect[] {
  const links = linksOf(effects);
  if (links.length === 0) return effects;
  return effects.flatMap((effect) => {
    const link = effect.by === "ln" ? undefined : links.find(({ name }) => within(effect.path, name));
    return link ? [effect, { ...effect, path: link.target + effect.path.slice(link.name.length) }] : [effect];
  });
}

function linksOf(effects: readonly Effect[]): readonly { readonly name: string; readonly target: string }[] {
  const made = effects
    .filter(({ by, kind, literal }) => by === "ln" && kind === "write" && literal)
    .slice(0, LINKS_MAX);
  return made.flatMap(({ path: name, invocation }) => {
    const source = effects.find((one) => one.invocation === invocation && one.kind === "read" && one.literal);
    return source ? [{ name, target: source.path }] : [];
  });
}
