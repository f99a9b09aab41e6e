/** Detects changes of a host settings file that disarm Sekisho. */
import type { Arming } from "../../../kernel/facts.ts";
import { markOf } from "../../../lib/sha256.ts";
import { type Text, text } from "../../../lib/text.ts";

/**
 * The hooks of a file, disarming keys marked with `!`, unknown keys and other tools' hooks with `?`: the baseline for
 * later versions.
 */
export function marksOf(arming: Arming): readonly string[] {
  const { hooks, disarms, strange } = arming;
  return [
    ...hooks,
    ...disarms.map((key) => `!${key}`),
    ...strange.slice(0, STRANGE_MAX).map((key) => `?${key}`),
    ...otherGates(arming).map(otherMark),
  ];
}

/** Other tools' hooks that run before a tool, and so may replace what we have judged. */
export function otherGates({ runs }: Arming): readonly string[] {
  return runs.filter((run) => run.startsWith("PreToolUse hook ")).slice(0, OTHERS_MAX);
}

export function otherMark(run: string): string {
  return `?hook ${markOf(run).slice(0, 8)}`;
}

const OTHERS_MAX = 4;

/** Keeps records small. With more unknown keys than this, an agent cannot change the file. */
const STRANGE_MAX = 8;

type Loss = { readonly kind: "unreadable" | "gone" | "disarmed" | "strange"; readonly names: string };

/** Describes a pending change; undefined if the file stays equally armed. */
export function lossIn(before: readonly string[], after: Arming): Text | undefined {
  const loss = lossOf(before, after);
  return loss && WOULD[loss.kind](loss.names);
}

/**
 * Describes a past change. The host has started this process, so it has not dropped the file because of an unknown key.
 */
export function lostFrom(before: readonly string[], now: Arming): Text | undefined {
  const loss = lossOf(before, { ...now, strange: [] });
  return loss && HAS[loss.kind](loss.names);
}

function lossOf(before: readonly string[], after: Arming): Loss | undefined {
  const had = before.filter((mark) => !/^[!?]/.test(mark));
  if (!after.readable && had.length > 0) return { kind: "unreadable", names: "" };
  const lost = had.filter((hook) => !after.hooks.includes(hook));
  if (lost.length > 0) {
    return { kind: "gone", names: lost.length > 3 ? `${lost.slice(0, 3).join(", ")} …` : lost.join(", ") };
  }
  const added = after.disarms.filter((key) => !before.includes(`!${key}`));
  if (added.length > 0) return { kind: "disarmed", names: added.join(", ") };
  const strange = had.length > 0 ? after.strange.filter((key) => !before.includes(`?${key}`)) : [];
  return strange[0] === undefined ? undefined : { kind: "strange", names: strange[0] };
}

type Words = Readonly<Record<Loss["kind"], (names: string) => Text>>;

const strange = (key: string): Text =>
  text(
    `the client might drop the whole file for a key that is not known here (${key})`,
    `未知のキー (${key}) のため、クライアントがファイルを丸ごと無視するおそれがあります`,
  );

const WOULD: Words = {
  unreadable: () =>
    text("the client could not read it and would drop it whole", "クライアントが読めなくなり、丸ごと無視されます"),
  gone: (names) =>
    text(`Sekisho's hooks would be gone or altered: ${names}`, `関所のフックが失われるか書き換わります: ${names}`),
  disarmed: (names) => text(`it would disarm the hooks: ${names}`, `フックが無効になります: ${names}`),
  strange,
};

const HAS: Words = {
  unreadable: () =>
    text("the client cannot read it any more and drops it whole", "クライアントが読めず、丸ごと無視しています"),
  gone: (names) =>
    text(`hooks of Sekisho's are gone or altered: ${names}`, `関所のフックが失われたか書き換わっています: ${names}`),
  disarmed: (names) =>
    text(`it has come to disarm the hooks: ${names}`, `フックを無効にする設定が加わっています: ${names}`),
  strange,
};
