/** Which of our own places a file effect would reach, by whatever spelling. */
import type { Places } from "../../kernel/facts.ts";
import type { Effect } from "../../kernel/operation-effects.ts";
import { shellPattern, within } from "../../kernel/paths.ts";
import { type Text, text } from "../../kernel/text.ts";

export interface OwnPlace {
  readonly kind: "state" | "config" | "program" | "registration";
  readonly path: string;
}

export const PLACE_NAMES: Readonly<Record<OwnPlace["kind"], Text>> = {
  state: text("Sekisho's journal and state", "関所の記録と状態"),
  config: text("Sekisho's configuration", "関所の設定"),
  program: text("Sekisho's program", "関所のプログラム"),
  registration: text("the settings file in which the hooks are registered", "フックが登録された設定ファイル"),
};

export function ownPlaces(places: Places): readonly OwnPlace[] {
  return [
    { kind: "state", path: places.state },
    ...places.config.map((path) => ({ kind: "config" as const, path })),
    ...places.installed.map((path) => ({ kind: "program" as const, path })),
    ...places.hostSettings.map((path) => ({ kind: "registration" as const, path })),
  ];
}

/** Links are as good as the file itself: whoever makes one to our places means to write through it. */
const LINKS: ReadonlySet<string> = new Set(["ln", "link", "mount"]);

export function placeReached(
  effect: Effect,
  targets: Readonly<Record<string, string>>,
  places: readonly OwnPlace[],
  project: string,
): OwnPlace | undefined {
  if (effect.elsewhere || (effect.kind === "read" && !LINKS.has(effect.by))) return undefined;
  const path = targets[effect.path] ?? effect.path;
  // What moves or removes a directory takes along everything in it; a write to a directory does not.
  const takesAll = (effect.recursive || effect.kind === "delete") && !isWholeTree(effect, path, project);
  const reaches = effect.glob ? globReaches(path, takesAll) : plainReaches(path, takesAll);
  return places.find(({ path: place }) => reaches(place));
}

/** What git does to the whole work tree is another policy's matter; it names none of our places. */
function isWholeTree({ by }: Effect, path: string, project: string): boolean {
  return by === "git" && within(project, path);
}

function plainReaches(path: string, takesAll: boolean): (place: string) => boolean {
  return (place) => within(path, place) || (takesAll && within(place, path));
}

function globReaches(pattern: string, takesAll: boolean): (place: string) => boolean {
  const matcher = shellPattern(pattern);
  return (place) => {
    if (matcher.test(place) || within(staticPart(pattern), place)) return true;
    return takesAll && ancestors(place).some((above) => matcher.test(above));
  };
}

/** The directory up to which a pattern is certain. */
function staticPart(pattern: string): string {
  const at = pattern.search(/[*?[{(!+@]/);
  return at < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf("/", at));
}

function ancestors(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(2).map((_, at) => parts.slice(0, at + 2).join("/"));
}
