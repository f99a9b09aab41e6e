/** Compares what a check stands on with what it was when the session began. */

/** Something a check stands on, as found now. */
export interface Footing {
  /** As people would write it: `~/.bashrc`, `BASH_ENV`. */
  readonly name: string;
  /** Four characters identify it, nine its state; see `state/session/ground.ts`. */
  readonly mark: string;
  /** Its last change by ctime, which no program can set back; undefined for a variable. */
  readonly changedAt?: number;
  /** A program that a package manager may replace. */
  readonly installed?: boolean;
}

const NAME_CHARS = 4;
const MARK_CHARS = 13;
/** Matches no state. */
const VOID = "-changed-";

type Marks = ReadonlyMap<string, string>;

function marksIn(text: string): Marks {
  const marks = new Map<string, string>();
  for (let at = 0; at + MARK_CHARS <= text.length; at += MARK_CHARS)
    marks.set(text.slice(at, at + NAME_CHARS), text.slice(at + NAME_CHARS, at + MARK_CHARS));
  return marks;
}

const nameOf = ({ mark }: Footing): string => mark.slice(0, NAME_CHARS);
const stateOf = ({ mark }: Footing): string => mark.slice(NAME_CHARS);

export function marksOf(footings: readonly Footing[]): string {
  return footings.map(({ mark }) => mark).join("");
}

/** What changed since: it has another state, or it was not there and is newer than `at`. */
export function changedSince(footings: readonly Footing[], known: string, at: number): readonly Footing[] {
  const marks = marksIn(known);
  return footings.filter((footing) => {
    const before = marks.get(nameOf(footing));
    return before === undefined ? isNewer(footing, at) : before !== stateOf(footing);
  });
}

/** A variable that was not there before is new. */
function isNewer({ changedAt }: Footing, at: number): boolean {
  return changedAt === undefined || changedAt > at;
}

/** The mark of something that will never count as unchanged. */
export function voided(footing: Footing): string {
  return nameOf(footing) + VOID;
}

export function unknownTo(known: string, footings: readonly Footing[]): readonly Footing[] {
  const marks = marksIn(known);
  return footings.filter((footing) => !marks.has(nameOf(footing)));
}

/**
 * The marks for a session that goes on under another process of the host. What changed while nobody worked in the session
 * is accepted, such as an update of a program; what changed during the session is not.
 */
export function relaid(footings: readonly Footing[], known: string, life: { from: number; to: number }): string {
  const tainted = new Set(
    changedSince(footings, known, life.from).filter(
      ({ changedAt = 0 }) => changedAt > life.from && changedAt <= life.to,
    ),
  );
  const before = marksIn(known);
  return footings
    .map((footing) => (tainted.has(footing) ? nameOf(footing) + (before.get(nameOf(footing)) ?? VOID) : footing.mark))
    .join("");
}

/** After a package manager ran: what it changed is accepted, what had changed before it is not. */
export function afterInstall(footings: readonly Footing[], known: string, before: string): string {
  const [base, old] = [marksIn(known), marksIn(before)];
  return footings
    .map((footing) => {
      const isUntouched = old.get(nameOf(footing)) === stateOf(footing);
      const kept = isUntouched || footing.installed !== true ? base.get(nameOf(footing)) : undefined;
      return kept === undefined ? footing.mark : nameOf(footing) + kept;
    })
    .join("");
}
