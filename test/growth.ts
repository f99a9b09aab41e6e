/** Compares the work for a large input with the work for a small one: a ratio that holds on any machine. */

const TIMES = 16;
/** The best of several tries counts, because the compiler and the garbage collector can only add work. */
const TRIES_MIN = 3;
const TRIES_MAX = 40;

/** For an input 16 times as large, linear work takes 16 times as long and quadratic work 256 times. */
const LINEAR_MAX = 5 * TIMES;

/** Returns undefined if the time of `work` grows linearly with the input size, otherwise the measured times. */
export function growsFaster(work: (size: number) => unknown, size: number, atMost = LINEAR_MAX): string | undefined {
  const [small, large] = [size / TIMES, size];
  let [fastestSmall, fastestLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // The first call compiles.
  work(small);
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    fastestSmall = Math.min(fastestSmall, msOf(work, small));
    fastestLarge = Math.min(fastestLarge, msOf(work, large));
    if (tries >= TRIES_MIN && fastestLarge <= atMost * Math.max(fastestSmall, MEASURABLE_MS)) return undefined;
  }
  return `${fastestSmall.toFixed(2)} ms for ${small}, ${fastestLarge.toFixed(2)} ms for ${large}`;
}

/** Shorter times are noise. */
const MEASURABLE_MS = 0.05;

/** The processor's time, which does not count the time in which other processes run. */
function msOf(work: (size: number) => unknown, size: number): number {
  const before = process.cpuUsage();
  work(size);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
