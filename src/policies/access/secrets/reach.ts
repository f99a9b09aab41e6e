/** Tells which key material an effect reaches or could reach, through patterns, finds, variables and links. */

import { names } from "../../../lib/name-table.ts";
import { absolute, clean, shellPattern, within } from "../../../lib/paths.ts";
import type { Effect } from "../../../reading/operation/effects.ts";
import type { Secret } from "./kinds.ts";
import { type PlaceRules, samples, secretAt } from "./places.ts";

/** The context of an effect. */
export interface SecretGround {
  readonly cwd: string;
  readonly rules: PlaceRules;
  /** Resolves links; called only if the path itself is inconclusive. */
  readonly targetOf: (path: string) => string | undefined;
}

export function secretIn(effect: Effect, ground: SecretGround): Secret | undefined {
  const { rules } = ground;
  const whole = effect.recursive || TAKES_ALL.has(effect.by);
  if (effect.glob || !effect.literal) return guessed(effect, ground, whole);
  const path = effect.path.includes("/~/") ? effect.path.replace(/^.*\/~(?=\/)/, rules.home) : effect.path;
  const plain = secretAt(path, rules, whole);
  const target = plain && plain.shown !== "ask" ? undefined : ground.targetOf(path);
  if (plain) return named(plain, target ?? path);
  return target === undefined || target === path ? undefined : named(secretAt(target, rules, whole), target);
}

/** The real path, so that a yes for one file does not open what a link of its name leads to later. */
function named(secret: Secret | undefined, path: string): Secret | undefined {
  return secret?.shown === "ask" && path.startsWith("/") ? { ...secret, files: [path] } : secret;
}

/** Commands that take a directory as a whole, or get one from `find`. */
const TAKES_ALL = names("mv ln ditto cat cp scp Grep");

/** A directory far above key material that would be taken as a whole. */
export function holdsHome(effect: Effect, { rules }: SecretGround): boolean {
  return effect.recursive && effect.literal && !effect.glob && within(rules.home, effect.path);
}

function guessed({ spelled, path, glob, invocation }: Effect, { cwd, rules }: SecretGround, whole: boolean) {
  const found = /^(.*)\/\u2026(?:\/(.+))?$/.exec(spelled);
  if (found) return foundIn(found[1] ?? "", found[2], invocation?.cwd ?? cwd, rules);
  const base = invocation?.cwd;
  const pattern = absolute(spelled, base) ?? `/${spelled}`;
  const example = secretAt(
    clean(pattern.replace(/\[[^\]]*\]|\*+|\?/g, "x").replace(/\$\{?\w+[^/]*\}?/g, "x")),
    rules,
    whole,
  );
  if (example) return example;
  // For an unknown path, the beginning may be enough: `~/.ssh/$NAME`.
  if (!glob) return path === "" ? undefined : secretAt(`${path}/x`, rules);
  const { test } = shellPattern(pattern);
  const sample = samples(rules.home, base).find((each) => test(each));
  return sample === undefined ? undefined : secretAt(sample, rules);
}

/** The secret that `find` would pass on; its patterns also match names with a leading dot. */
function foundIn(root: string, name: string | undefined, cwd: string, rules: PlaceRules): Secret | undefined {
  const top = absolute(root, cwd) ?? root;
  if (name === undefined) return secretAt(top, rules, true);
  const { test } = shellPattern(`x${name}`);
  const known = [".env", "id_rsa", "id_ed25519", ".netrc", ".git-credentials", "credentials"].find((each) =>
    test(`x${each}`),
  );
  return secretAt(`${top}/${known ?? name.replace(/[*?]+/g, "x")}`, rules);
}
