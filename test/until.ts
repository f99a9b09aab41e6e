/** Only a condition that never comes takes this long, even on a busy machine. */
const WAIT_MS_MAX = 120_000;
const POLL_MS = 25;

/** Polls until the condition holds. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const began = performance.now(); performance.now() - began < WAIT_MS_MAX; ) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  throw new Error(`${what} did not come`);
}
